import { otherIds, vulnerabilityId } from '#contract/public/public-id.ts'
import type { VulnerabilityRecord } from '#contract/vulnerabilities/shapes.ts'
import { sourceWords } from '../../findings/evidence/record-words.ts'
import { formatNoun } from '../../kit/text/format.ts'

/** A text and the records that contain it. */
export type Told = { text: string; records: VulnerabilityRecord[] }

/** Normalises whitespace, so that texts differing only in it are equal. */
export function inOneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ')
}

/** The texts of records, each once: the most frequent first, the others in their own order. */
export function textsOf(records: readonly VulnerabilityRecord[]): Told[] {
  const texts = Map.groupBy(
    records.filter(({ summary }) => summary.trim() !== ''),
    ({ summary }) => inOneLine(summary),
  )
  return [...texts]
    .map(([text, told]) => ({ text, records: told }))
    .sort((one, other) => other.records.length - one.records.length)
}

/** The sources of a text: `OSV: Go GO-2023-2102`, or for several records of a source their number, `OSV: Bitnami, 15 records`. */
export function tellersOf(records: readonly VulnerabilityRecord[]): string {
  const sources = Map.groupBy(records, ({ source }) => source)
  return [...sources]
    .map(([source, [first, ...others]]) =>
      first === undefined || others.length > 0
        ? `${sourceWords(source)}, ${formatNoun(others.length + 1, 'record')}`
        : `${sourceWords(source)} ${vulnerabilityId(first.recordId)}`,
    )
    .join(' · ')
}

/** The fixed versions in a record, each once. */
export function fixesIn({ ranges }: Pick<VulnerabilityRecord, 'ranges'>): string[] {
  return [...new Set(ranges.flatMap(({ fixed }) => (fixed === null ? [] : [fixed])))]
}

/** Well-known ids come first; ids of a single source come last, as there may be dozens. */
const known = ['CVE-', 'GHSA-', 'EUVD-']
const rankOf = (id: string): number => {
  const at = known.findIndex((prefix) => id.startsWith(prefix))
  return at < 0 ? known.length : at
}

/** Other ids of a vulnerability, each once, without the one it is shown under. */
export function sortedIds(id: string, aliases: readonly string[]): string[] {
  return otherIds(id, aliases).sort((one, other) => rankOf(one) - rankOf(other))
}

/** The same records, the first of each source first: a source says much the same about many packages. */
export function oneOfEachSource(records: readonly VulnerabilityRecord[]): VulnerabilityRecord[] {
  const first = [...new Map(records.toReversed().map((record) => [record.source, record])).values()]
  const leading = records.filter((record) => first.includes(record))
  return [...leading, ...records.filter((record) => !leading.includes(record))]
}
