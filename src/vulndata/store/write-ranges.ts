import type { Tx } from '../../database/connection.ts'
import type { CompiledRecord } from '../osv/compile-record.ts'
import { insertRanges, type RangeRow } from '../queries.ts'

/** The part of an import's changes that ranges have a share in. */
export type RangeChanges = { unorderedBounds: number; packageKeys: Set<string> }

const rangesPerStatement = 5_000

/** Writes the affected ranges of records that have none stored, in bulk. */
export async function writeRanges(
  tx: Tx,
  rows: readonly { id: number; record: CompiledRecord }[],
  changes: RangeChanges,
): Promise<void> {
  const pending: RangeRow[] = []
  for (const { id, record } of rows) {
    const { ranges, unorderedBounds } = record.ranges()
    changes.unorderedBounds += unorderedBounds
    for (const range of ranges) {
      changes.packageKeys.add(range.packageKey)
      pending.push({ vulnerabilityId: id, range })
    }
    while (pending.length >= rangesPerStatement) await insertRanges(tx, pending.splice(0, rangesPerStatement))
  }
  await insertRanges(tx, pending)
}
