import type { Tx } from '../../database/connection.ts'
import type { CompiledRecord } from '../osv/compile-record.ts'
import { insertRanges } from '../queries.ts'
import { rangeLine, rangeLinesOf } from './range-lines.ts'

/** The part of an import's changes that ranges have a share in. */
export type RangeChanges = { unorderedBounds: number; packageKeys: Set<string> }

type RangesOf = Pick<CompiledRecord, 'ranges' | 'rangeLines'>

/** Writes the affected ranges of records that have none stored, in bulk: the first are being written while the last are compiled. */
export async function writeRanges(
  tx: Tx,
  rows: readonly { id: number; record: RangesOf }[],
  changes: RangeChanges,
): Promise<void> {
  if (rows.length > 0) await insertRanges(tx, linesOf(rows, changes))
}

function* linesOf(
  rows: readonly { id: number; record: RangesOf }[],
  changes: RangeChanges,
): Generator<string> {
  for (const { id, record } of rows) {
    const { lines, packageKeys, unorderedBounds } = record.rangeLines ?? rangeLinesOf(record.ranges())
    changes.unorderedBounds += unorderedBounds
    for (const key of packageKeys) changes.packageKeys.add(key)
    for (const line of lines) yield rangeLine(id, line)
  }
}
