import { otherIds, vulnerabilityId } from '#contract/public/public-id.ts'
import type { VulnerabilityRecord } from '#contract/vulnerabilities/shapes.ts'
import { sourceWords } from '../../findings/evidence/record-words.ts'
import { formatNoun } from '../../kit/text/format.ts'

/** A text and the records that say it. */
export type Told = { text: string; records: VulnerabilityRecord[] }

/** Texts that differ in their spaces alone are the same. */
export function inOneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ')
}

/** What records say in words, each text once: the one that most of them say first, then in their own order. */
export function textsOf(records: readonly VulnerabilityRecord[]): Told[] {
  const texts = Map.groupBy(
    records.filter(({ summary }) => summary.trim() !== ''),
    ({ summary }) => inOneLine(summary),
  )
  return [...texts]
    .map(([text, told]) => ({ text, records: told }))
    .sort((one, other) => other.records.length - one.records.length)
}

/** Who says it: `OSV: Go GO-2023-2102`, and of several records of a source how many, `OSV: Bitnami, 15 records`. */
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

/** The versions that a record calls fixed, each once. */
export function fixesIn({ ranges }: Pick<VulnerabilityRecord, 'ranges'>): string[] {
  return [...new Set(ranges.flatMap(({ fixed }) => (fixed === null ? [] : [fixed])))]
}

/** Ids that everybody knows come first; those of one source alone come last, as there may be dozens. */
const known = ['CVE-', 'GHSA-', 'EUVD-']
const rankOf = (id: string): number => {
  const at = known.findIndex((prefix) => id.startsWith(prefix))
  return at < 0 ? known.length : at
}

/** What else a vulnerability is called, each once, without the id that it is shown under. */
export function sortedIds(id: string, aliases: readonly string[]): string[] {
  return otherIds(id, aliases).sort((one, other) => rankOf(one) - rankOf(other))
}

/** The same records, the first one of each source first: what a source says of many packages is much the same. */
export function oneOfEachSource(records: readonly VulnerabilityRecord[]): VulnerabilityRecord[] {
  const first = [...new Map(records.toReversed().map((record) => [record.source, record])).values()]
  const leading = records.filter((record) => first.includes(record))
  return [...leading, ...records.filter((record) => !leading.includes(record))]
}
