import { visibleText } from '#contract/hidden-characters.ts'
import type { EvidenceRange, FindingRecord } from '#contract/findings/shapes.ts'

/** `osv:Go` → `OSV: Go`. */
export function sourceWords(source: string): string {
  if (source === 'vulnrichment') return 'CISA vulnrichment'
  if (source === 'cve-list') return 'CVE list'
  if (source === 'euvd-scores') return 'EUVD (ENISA)'
  if (source === 'fedora') return 'Fedora updates'
  const colon = source.indexOf(':')
  if (colon < 0) return source.toUpperCase()
  return `${source.slice(0, colon).toUpperCase()}: ${source.slice(colon + 1)}`
}

/** The record's page at its source, if there is one. */
export function recordAddress({
  source,
  recordId,
}: Pick<FindingRecord, 'source' | 'recordId'>): string | null {
  if (source === 'cve-list')
    return `https://www.cve.org/CVERecord?id=${encodeURIComponent(recordId.slice(recordId.indexOf(':') + 1))}`
  if (source === 'fedora') return `https://bodhi.fedoraproject.org/updates/${encodeURIComponent(recordId)}`
  return source.startsWith('osv:') ? `https://osv.dev/vulnerability/${encodeURIComponent(recordId)}` : null
}

type Bounds = Pick<EvidenceRange, 'introduced' | 'fixed' | 'lastAffected'>

/** The end of a range in words: `< 2.15.0`, `≤ 2.14.1`, or that it is open. */
export function rangeEnd({ fixed, lastAffected }: Pick<Bounds, 'fixed' | 'lastAffected'>): string {
  if (fixed !== null) return visibleText(`< ${fixed}`)
  return lastAffected === null ? 'no end' : visibleText(`≤ ${lastAffected}`)
}

/** The start of a range; records write `0` for "from the first version on". */
export function rangeStart({ introduced }: Pick<Bounds, 'introduced'>): string {
  return introduced === '0' ? 'first version' : visibleText(`≥ ${introduced}`)
}

/** Position of the version on the drawn range: ranges are not to scale, only their ends have fixed positions. */
export function markPlace(range: Bounds, version: string): 'start' | 'middle' | 'end' {
  if (range.introduced === version) return 'start'
  return range.lastAffected === version ? 'end' : 'middle'
}
