import { copyLine, type CopyColumn } from '../../platform/postgres/copy-text.ts'
import type { CompiledRange, CompiledRanges, RangeLines } from './compiled-record.ts'

const columns: readonly CopyColumn<CompiledRange>[] = [
  { name: 'package_key', value: ({ packageKey }) => packageKey },
  { name: 'release', value: ({ release }) => release },
  { name: 'stream', value: ({ stream }) => stream },
  { name: 'scheme', value: ({ scheme }) => scheme },
  { name: 'lower_key', value: ({ lowerKey }) => lowerKey },
  { name: 'upper_key', value: ({ upperKey }) => upperKey },
  { name: 'upper_included', value: ({ upperIncluded }) => upperIncluded },
  { name: 'kind', value: ({ kind }) => kind },
  { name: 'introduced', value: ({ introduced }) => introduced },
  { name: 'upper_text', value: ({ upperText }) => upperText },
  { name: 'doubt', value: ({ doubt }) => doubt },
]

export const rangeColumnNames: readonly string[] = ['vulnerability_id', ...columns.map(({ name }) => name)]

export function rangeLinesOf({ ranges, unorderedBounds }: CompiledRanges): RangeLines {
  let text = ''
  for (const range of ranges) text += copyLine(columns, range)
  return { text, packageKeys: [...new Set(ranges.map(({ packageKey }) => packageKey))], unorderedBounds }
}

/** The lines with the row of their record before each. */
export function linesOfRecord(vulnerabilityId: number, { text }: RangeLines): string {
  return text === ''
    ? ''
    : `${vulnerabilityId}\t${text.slice(0, -1).replaceAll('\n', `\n${vulnerabilityId}\t`)}\n`
}
