import { sql } from 'kysely'
import type { Tx } from '../../database/connection.ts'
import { copied, copyRow, type CopyColumn } from '../../platform/postgres/copy-rows.ts'
import { copyRows, type CopyPiece } from '../../platform/postgres/copy.ts'
import type { PreparedRecord } from '../records/prepared-record.ts'
import { assertionColumnNames, recordColumnNames, writeRecordId } from '../records/record-rows.ts'

/** What is stored of a record, as far as an import needs it. */
export type StoredRecord = {
  id: number
  recordId: string
  source: string
  contentHash: string
}

export async function selectStoredRecords(tx: Tx, recordIds: readonly string[]): Promise<StoredRecord[]> {
  const { rows } = await sql<StoredRecord>`
    select id, record_id as "recordId", source, content_hash as "contentHash"
    from vulnerability
    where record_id = any(${recordIds}::text[])`.execute(tx)
  return rows
}

/** A record with the id and source of its row. */
export type RecordRow = { id: number; source: string; contentHash: string; record: PreparedRecord }

type NewRow = RecordRow & { groupId: number; now: Date }

const placeColumns: readonly CopyColumn<NewRow>[] = [
  copied.bigint('id', ({ id }) => id),
  copied.bigint('group_id', ({ groupId }) => groupId),
  copied.text('source', ({ source }) => source),
  copied.time('imported_at', ({ now }) => now),
]

export async function insertRecords(
  tx: Tx,
  rows: readonly (RecordRow & { groupId: number })[],
  now: Date,
): Promise<void> {
  if (rows.length === 0) return
  const columns = [...placeColumns.map(({ name }) => name), ...recordColumnNames]
  await copyRows(tx, { table: 'vulnerability', columns, rows: piecesOf(rows, now) })
}

function* piecesOf(rows: readonly (RecordRow & { groupId: number })[], now: Date): Generator<CopyPiece> {
  for (const row of rows) {
    yield copyRow(placeColumns, { ...row, now }, recordColumnNames.length)
    yield row.record.row
  }
}

export async function updateRecords(tx: Tx, rows: readonly RecordRow[], now: Date): Promise<void> {
  if (rows.length === 0) return
  const column = <T>(read: (record: PreparedRecord) => T) => rows.map((row) => read(row.record))
  await sql`
    update vulnerability v
    set source = n.source, class = n.class, summary = n.summary, severity = n.severity, score = n.score, vector = n.vector,
      published_at = n.published_at, modified_at = n.modified_at, withdrawn_at = n.withdrawn_at,
      content_hash = n.content_hash, document = n.document, imported_at = ${now}::timestamptz
    from unnest(
      ${rows.map((row) => row.id)}::bigint[], ${rows.map((row) => row.source)}::text[],
      ${rows.map((row) => row.contentHash)}::text[], ${column((record) => record.class)}::text[],
      ${column((record) => record.summary)}::text[], ${column((record) => record.severity)}::text[],
      ${column((record) => record.score)}::real[], ${column((record) => record.vector)}::text[],
      ${column((record) => record.publishedAt)}::timestamptz[], ${column((record) => record.modifiedAt)}::timestamptz[],
      ${column((record) => record.withdrawnAt)}::timestamptz[], ${column(({ document }) => document())}::text[]
    ) as n (id, source, content_hash, class, summary, severity, score, vector, published_at, modified_at, withdrawn_at, document)
    where v.id = n.id`.execute(tx)
}

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
