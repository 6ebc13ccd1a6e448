import type { Tx } from '../../database/connection.ts'
import { insertRanges } from '../queries.ts'
import { linesOfRecord, rangeLinesOf } from '../records/range-lines.ts'
import type { CompiledRecord } from '../records/compiled-record.ts'

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
    const ranges = record.rangeLines ?? rangeLinesOf(record.ranges())
    changes.unorderedBounds += ranges.unorderedBounds
    for (const key of ranges.packageKeys) changes.packageKeys.add(key)
    yield linesOfRecord(id, ranges)
  }
}
