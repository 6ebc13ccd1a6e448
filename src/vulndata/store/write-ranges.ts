import type { Tx } from '../../database/connection.ts'
import { insertBinarySources, insertRanges } from '../queries.ts'
import type { BinarySource } from '../records/compiled-record.ts'
import type { PreparedRecord } from '../records/prepared-record.ts'
import { writeRecordId } from '../records/record-rows.ts'

/** The part of an import's changes that ranges have a share in. */
export type RangeChanges = { unorderedBounds: number; packageKeys: Set<string> }

type WithRanges = { id: number; record: Pick<PreparedRecord, 'ranges'> }

/** Writes the affected ranges of records that have none stored, in bulk: the first are being written while the last are compiled. */
export async function writeRanges(tx: Tx, rows: readonly WithRanges[], changes: RangeChanges): Promise<void> {
  if (rows.length === 0) return
  const binaries: BinarySource[] = []
  await insertRanges(tx, rowsOf(rows, changes, binaries))
  for (const key of await insertBinarySources(tx, binaries)) changes.packageKeys.add(key)
}

function* rowsOf(
  records: readonly WithRanges[],
  changes: RangeChanges,
  binaries: BinarySource[],
): Generator<Uint8Array> {
  for (const { id, record } of records) {
    const { rows, packageKeys, unorderedBounds, binaries: told } = record.ranges()
    changes.unorderedBounds += unorderedBounds
    for (const key of packageKeys) changes.packageKeys.add(key)
    for (const binary of told) binaries.push(binary)
    writeRecordId(rows, id)
    yield rows
  }
}
