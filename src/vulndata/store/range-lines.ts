import { copyLine, type CopyColumn } from '../../platform/postgres/copy-text.ts'
import type { CompiledRange, CompiledRanges } from '../osv/compile-ranges.ts'

/** The affected ranges of a record as they are written. The record's row, which is not known where they are made, comes before each. */
export type RangeLines = {
  lines: string[]
  /** Distinct. */
  packageKeys: string[]
  unorderedBounds: number
}

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
  const packageKeys = new Set(ranges.map(({ packageKey }) => packageKey))
  return {
    lines: ranges.map((range) => copyLine(columns, range)),
    packageKeys: [...packageKeys],
    unorderedBounds,
  }
}

/** A line of COPY for one range of the record in the row `vulnerabilityId`. */
export function rangeLine(vulnerabilityId: number, line: string): string {
  return `${vulnerabilityId}\t${line}`
}
