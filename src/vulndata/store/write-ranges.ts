import type { Tx } from '../../database/connection.ts'
import type { CompiledRecord } from '../osv/compile-record.ts'
import { insertRanges, type RangeRow } from '../queries.ts'

/** The part of an import's changes that ranges have a share in. */
export type RangeChanges = { unorderedBounds: number; packageKeys: Set<string> }

/** Writes the affected ranges of records that have none stored, in bulk: the first are being written while the last are compiled. */
export async function writeRanges(
  tx: Tx,
  rows: readonly { id: number; record: CompiledRecord }[],
  changes: RangeChanges,
): Promise<void> {
  if (rows.length > 0) await insertRanges(tx, rangesOf(rows, changes))
}

function* rangesOf(
  rows: readonly { id: number; record: CompiledRecord }[],
  changes: RangeChanges,
): Generator<RangeRow> {
  for (const { id, record } of rows) {
    const { ranges, unorderedBounds } = record.ranges()
    changes.unorderedBounds += unorderedBounds
    for (const range of ranges) {
      changes.packageKeys.add(range.packageKey)
      yield { vulnerabilityId: id, range }
    }
  }
}
