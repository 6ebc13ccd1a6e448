import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../database/connection.ts'
import { columnOf } from '../platform/postgres/columns.ts'
import { copyRow, copied, type CopyColumn } from '../platform/postgres/copy-rows.ts'
import { copyInto, copyRows, type CopyPiece } from '../platform/postgres/copy.ts'
import type { GroupDisplay } from './store/group-display.ts'
import type { BinarySource, KnownRelease } from '../records/compiled-record.ts'
import type { PreparedRecord } from './records/prepared-record.ts'
import {
  assertionColumnNames,
  rangeColumnNames,
  recordColumnNames,
  writeRecordId,
} from './records/record-rows.ts'

/** What is stored of a record, as far as an import needs it. */
export type StoredRecord = {
  id: number
  recordId: string
  source: string
  contentHash: string
  isWithdrawn: boolean
}

export async function selectStoredRecords(tx: Tx, recordIds: readonly string[]): Promise<StoredRecord[]> {
  const { rows } = await sql<StoredRecord>`
    select id, record_id as "recordId", source, content_hash as "contentHash", withdrawn_at is not null as "isWithdrawn"
    from vulnerability
    where record_id = any(${recordIds}::text[])`.execute(tx)
  return rows
}

/** Ids for rows that are about to be written, so that rows referring to them can be written in bulk. */
export async function takeIds(
  tx: Tx,
  table: 'vulnerability' | 'vulnerability_group',
  count: number,
): Promise<number[]> {
  if (count === 0) return []
  const { rows } = await sql<{ id: number }>`
    select nextval(s.name) as id
    from (select pg_get_serial_sequence(${table}, 'id')::regclass as name offset 0) s
    cross join generate_series(1, ${count}::int)
    order by 1`.execute(tx)
  return rows.map((row) => row.id)
}

/** A record with the id, source and group of its row. */
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

export type GroupRow = { id: number; display: GroupDisplay }

const groupColumns: readonly CopyColumn<GroupRow>[] = [
  copied.bigint('id', ({ id }) => id),
  copied.text('title_id', ({ display }) => display.titleId),
  copied.text('summary', ({ display }) => display.summary),
  copied.text('severity', ({ display }) => display.severity),
  copied.real('score', ({ display }) => display.score),
  copied.text('severity_source', ({ display }) => display.severitySource),
  copied.boolean('is_disputed_severity', ({ display }) => display.isDisputedSeverity),
  copied.boolean('is_malware', ({ display }) => display.isMalware),
  copied.text('cves', ({ display }) => display.cves),
]

export async function insertGroups(tx: Tx, rows: readonly GroupRow[]): Promise<void> {
  if (rows.length === 0) return
  await copyInto<GroupRow>(tx, { table: 'vulnerability_group', columns: groupColumns, rows })
}

/**
 * A group for each id that stored records have or claim: of thousands of records that claim the same id, all in one group, only one is read. Looked up
 * id by id (indexes alias_assertion_other, vulnerability_pkey): while a first import fills the tables, the server would scan them each time.
 */
export async function selectGroupsOfIds(tx: Tx, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; groupId: number }>`
    select asked.id, found."groupId"
    from unnest(${columnOf(ids, 'text', (id) => id)}) as asked (id)
    cross join lateral (
      select (select v.group_id from vulnerability v where v.id = a.vulnerability_id) as "groupId"
      from alias_assertion a
      where a.other_id = asked.id and a.bridges
      limit 1
    ) as found`.execute(tx)
  return new Map(rows.map(({ id, groupId }) => [id, groupId]))
}

export async function updateRecords(tx: Tx, rows: readonly RecordRow[], now: Date): Promise<void> {
  if (rows.length === 0) return
  await sql`
    update vulnerability v
    set source = n.source, class = n.class, summary = n.summary, severity = n.severity, score = n.score, vector = n.vector,
      published_at = n.published_at, modified_at = n.modified_at, withdrawn_at = n.withdrawn_at,
      content_hash = n.content_hash, document = n.document, imported_at = ${now}::timestamptz
    from ${recordColumns(rows)}
    where v.id = n.id`.execute(tx)
}

function recordColumns(rows: readonly RecordRow[]): RawBuilder<unknown> {
  const column = <T>(read: (record: PreparedRecord) => T) => rows.map((row) => read(row.record))
  return sql`unnest(
      ${rows.map((row) => row.id)}::bigint[], ${rows.map((row) => row.source)}::text[],
      ${rows.map((row) => row.contentHash)}::text[], ${column((record) => record.id)}::text[],
      ${column((record) => record.class)}::text[], ${column((record) => record.summary)}::text[],
      ${column((record) => record.severity)}::text[], ${column((record) => record.score)}::real[],
      ${column((record) => record.vector)}::text[], ${column((record) => record.publishedAt)}::timestamptz[],
      ${column((record) => record.modifiedAt)}::timestamptz[], ${column((record) => record.withdrawnAt)}::timestamptz[],
      ${column(({ document }) => document())}::text[]
    ) as n (id, source, content_hash, record_id, class, summary, severity, score, vector, published_at, modified_at,
      withdrawn_at, document)`
}

/** Removes ranges of records; returns the package keys they were on. Index affected_range_vulnerability. */
export async function deleteRanges(tx: Tx, vulnerabilityIds: readonly number[]): Promise<string[]> {
  if (vulnerabilityIds.length === 0) return []
  const { rows } = await sql<{ package_key: string }>`
    with gone as (
      delete from affected_range where vulnerability_id = any(${vulnerabilityIds}::bigint[]) returning package_key
    )
    select distinct package_key from gone`.execute(tx)
  return rows.map((row) => row.package_key)
}

/** The same of ranges on products named by CPE alone. */
export async function deleteProductRanges(tx: Tx, vulnerabilityIds: readonly number[]): Promise<string[]> {
  if (vulnerabilityIds.length === 0) return []
  const { rows } = await sql<{ package_key: string }>`
    with gone as (
      delete from affected_range
      where vulnerability_id = any(${vulnerabilityIds}::bigint[]) and starts_with(package_key, 'cpe' || chr(31))
      returning package_key
    )
    select distinct package_key from gone`.execute(tx)
  return rows.map((row) => row.package_key)
}

/** Rows of `rangeRows` with the ids of their records. */
export async function insertRanges(tx: Tx, rows: Iterable<Uint8Array>): Promise<void> {
  await copyRows(tx, { table: 'affected_range', columns: rangeColumnNames, rows })
}

/** Stores what packages were built from; returns the keys of those for which that is new. */
export async function insertBinarySources(tx: Tx, binaries: readonly BinarySource[]): Promise<string[]> {
  if (binaries.length === 0) return []
  const { rows } = await sql<{ package_key: string }>`
    with told as (
      insert into binary_source (package_key, release, source_key)
      select distinct * from unnest(
        ${columnOf(binaries, 'text', ([packageKey]) => packageKey)}, ${columnOf(binaries, 'text', ([, release]) => release)},
        ${columnOf(binaries, 'text', ([, , sourceKey]) => sourceKey)}
      )
      order by 1, 2, 3
      on conflict do nothing
      returning package_key
    )
    select distinct package_key from told`.execute(tx)
  return rows.map((row) => row.package_key)
}

/** Stores which releases of distributions records are about. */
export async function insertKnownReleases(tx: Tx, releases: Iterable<KnownRelease>): Promise<void> {
  const distinct = [...new Map([...releases].map((known) => [known.join(' '), known])).values()]
  if (distinct.length === 0) return
  await sql`
    insert into known_release (ecosystem, release)
    select * from unnest(
      ${columnOf(distinct, 'text', ([ecosystem]) => ecosystem)}, ${columnOf(distinct, 'text', ([, release]) => release)}
    )
    order by 1, 2
    on conflict do nothing`.execute(tx)
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

/** The package keys of records in their stored ranges. */
export async function selectPackageKeys(tx: Tx, vulnerabilityIds: readonly number[]): Promise<string[]> {
  if (vulnerabilityIds.length === 0) return []
  const { rows } = await sql<{ package_key: string }>`
    select distinct package_key from affected_range
    where vulnerability_id = any(${vulnerabilityIds}::bigint[])`.execute(tx)
  return rows.map((row) => row.package_key)
}
