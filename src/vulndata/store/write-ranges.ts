import type { Tx } from '../../database/connection.ts'
import { insertRanges } from '../queries.ts'
import type { PreparedRecord } from '../records/prepared-record.ts'
import { writeRecordId } from '../records/record-rows.ts'

/** The part of an import's changes that ranges have a share in. */
export type RangeChanges = { unorderedBounds: number; packageKeys: Set<string> }

type WithRanges = { id: number; record: Pick<PreparedRecord, 'ranges'> }

/** Writes the affected ranges of records that have none stored, in bulk: the first are being written while the last are compiled. */
export async function writeRanges(tx: Tx, rows: readonly WithRanges[], changes: RangeChanges): Promise<void> {
  if (rows.length > 0) await insertRanges(tx, rowsOf(rows, changes))
}

function* rowsOf(records: readonly WithRanges[], changes: RangeChanges): Generator<Uint8Array> {
  for (const { id, record } of records) {
    const { rows, packageKeys, unorderedBounds } = record.ranges()
    changes.unorderedBounds += unorderedBounds
    for (const key of packageKeys) changes.packageKeys.add(key)
    writeRecordId(rows, id)
    yield rows
  }
}
