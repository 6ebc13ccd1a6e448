import { sql } from 'kysely'
import type { Tx } from '../../database/connection.ts'
import { copyRows } from '../../platform/postgres/copy.ts'
import { assertionColumnNames, writeRecordId } from '../records/record-rows.ts'
import type { RecordRow } from './record-queries.ts'

export async function replaceAssertions(
  tx: Tx,
  vulnerabilityIds: readonly number[],
  rows: readonly RecordRow[],
): Promise<void> {
  if (vulnerabilityIds.length > 0) {
    await sql`delete from alias_assertion where vulnerability_id = any(${vulnerabilityIds}::bigint[])`.execute(
      tx,
    )
  }
  if (rows.length === 0) return
  await copyRows(tx, { table: 'alias_assertion', columns: assertionColumnNames, rows: assertionsOf(rows) })
}

function* assertionsOf(rows: readonly RecordRow[]): Generator<Uint8Array> {
  for (const { id, record } of rows) {
    writeRecordId(record.assertionRows, id)
    yield record.assertionRows
  }
}

/**
 * Records connected with these by the stored assertions. Asked before assertions change: groups that fall apart, or were too large
 * until now, are found through the old ones. Index alias_assertion_other.
 */
export async function selectNeighbours(tx: Tx, vulnerabilityIds: readonly number[]): Promise<number[]> {
  if (vulnerabilityIds.length === 0) return []
  const { rows } = await sql<{ id: number }>`
    select distinct b.vulnerability_id as id
    from (
      select distinct a.other_id from alias_assertion a
      where a.vulnerability_id = any(${vulnerabilityIds}::bigint[]) and a.bridges
    ) as shared
    join alias_assertion b on b.other_id = shared.other_id and b.bridges`.execute(tx)
  return rows.map((row) => row.id)
}
