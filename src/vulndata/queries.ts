import { sql, type RawBuilder } from 'kysely'
import type { Db, Tx } from '../database/connection.ts'
import type { CompiledRange } from './osv/compile-ranges.ts'
import type { CompiledRecord } from './osv/compile-record.ts'
import type { Assertion } from './osv/assertions.ts'

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

/** Ids for rows that are about to be written, so that rows that refer to them can be written in bulk. */
export async function takeIds(
  tx: Tx,
  table: 'vulnerability' | 'vulnerability_group',
  count: number,
): Promise<number[]> {
  if (count === 0) return []
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence(${table}, 'id')) as id from generate_series(1, ${count}::int)
    order by 1`.execute(tx)
  return rows.map((row) => row.id)
}

/** A record with the id, source and group of its row. */
export type RecordRow = { id: number; source: string; contentHash: string; record: CompiledRecord }

/** Each new record begins in a group of its own, whose id is given with it. */
export async function insertRecords(
  tx: Tx,
  rows: readonly (RecordRow & { groupId: number })[],
  now: Date,
): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into vulnerability_group (id, title_id, summary, severity, score)
    overriding system value
    select * from unnest(${rows.map((row) => row.groupId)}::bigint[], ${rows.map((row) => row.record.id)}::text[],
      ${rows.map((row) => row.record.summary)}::text[], ${rows.map((row) => row.record.severity)}::text[],
      ${rows.map((row) => row.record.score)}::real[])`.execute(tx)
  await sql`
    insert into vulnerability (id, record_id, group_id, source, class, summary, severity, score, vector, published_at,
      modified_at, withdrawn_at, content_hash, document, imported_at)
    overriding system value
    select n.id, n.record_id, g.group_id, n.source, n.class, n.summary, n.severity, n.score, n.vector, n.published_at,
      n.modified_at, n.withdrawn_at, n.content_hash, n.document, ${now}::timestamptz
    from ${recordColumns(rows)}
    join unnest(${rows.map((row) => row.id)}::bigint[], ${rows.map((row) => row.groupId)}::bigint[]) as g (id, group_id)
      on g.id = n.id`.execute(tx)
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
  const column = <T>(read: (record: CompiledRecord) => T) => rows.map((row) => read(row.record))
  return sql`unnest(
      ${rows.map((row) => row.id)}::bigint[], ${rows.map((row) => row.source)}::text[],
      ${rows.map((row) => row.contentHash)}::text[], ${column((record) => record.id)}::text[],
      ${column((record) => record.class)}::text[], ${column((record) => record.summary)}::text[],
      ${column((record) => record.severity)}::text[], ${column((record) => record.score)}::real[],
      ${column((record) => record.vector)}::text[], ${column((record) => record.publishedAt)}::timestamptz[],
      ${column((record) => record.modifiedAt)}::timestamptz[], ${column((record) => record.withdrawnAt)}::timestamptz[],
      ${column((record) => record.document)}::text[]
    ) as n (id, source, content_hash, record_id, class, summary, severity, score, vector, published_at, modified_at,
      withdrawn_at, document)`
}

/** Removes ranges of records; answers the package keys they were on. Index affected_range_vulnerability. */
export async function deleteRanges(tx: Tx, vulnerabilityIds: readonly number[]): Promise<string[]> {
  if (vulnerabilityIds.length === 0) return []
  const { rows } = await sql<{ package_key: string }>`
    with gone as (
      delete from affected_range where vulnerability_id = any(${vulnerabilityIds}::bigint[]) returning package_key
    )
    select distinct package_key from gone`.execute(tx)
  return rows.map((row) => row.package_key)
}

export type RangeRow = { vulnerabilityId: number; range: CompiledRange }

export async function insertRanges(tx: Tx, rows: readonly RangeRow[]): Promise<void> {
  if (rows.length === 0) return
  const column = <T>(read: (range: CompiledRange) => T) => rows.map((row) => read(row.range))
  const bytes = (key: Uint8Array | null) => (key === null ? null : Buffer.from(key))
  await sql`
    insert into affected_range (vulnerability_id, package_key, release, stream, scheme, lower_key, upper_key,
      upper_included, kind, introduced, upper_text, doubt)
    select * from unnest(
      ${rows.map((row) => row.vulnerabilityId)}::bigint[], ${column((range) => range.packageKey)}::text[],
      ${column((range) => range.release)}::text[], ${column((range) => range.stream)}::text[],
      ${column((range) => range.scheme)}::text[], ${column((range) => bytes(range.lowerKey))}::bytea[],
      ${column((range) => bytes(range.upperKey))}::bytea[], ${column((range) => range.upperIncluded)}::boolean[],
      ${column((range) => range.kind)}::text[], ${column((range) => range.introduced)}::text[],
      ${column((range) => range.upperText)}::text[], ${column((range) => range.doubt)}::text[])`.execute(tx)
}

export type AssertionRow = { vulnerabilityId: number; assertion: Assertion }

export async function replaceAssertions(
  tx: Tx,
  vulnerabilityIds: readonly number[],
  rows: readonly AssertionRow[],
): Promise<void> {
  if (vulnerabilityIds.length > 0) {
    await sql`delete from alias_assertion where vulnerability_id = any(${vulnerabilityIds}::bigint[])`.execute(
      tx,
    )
  }
  if (rows.length === 0) return
  await sql`
    insert into alias_assertion (vulnerability_id, other_id, relation, bridges)
    select * from unnest(
      ${rows.map((row) => row.vulnerabilityId)}::bigint[], ${rows.map((row) => row.assertion.otherId)}::text[],
      ${rows.map((row) => row.assertion.relation)}::text[],
      ${rows.map((row) => row.assertion.bridges)}::boolean[])`.execute(tx)
}

/**
 * Records that are connected with these by what is stored of them now. Asked before assertions change: what falls apart, or no longer
 * hides behind too large a group, is found through the old ones. Index alias_assertion_other.
 */
export async function selectNeighbours(tx: Tx, vulnerabilityIds: readonly number[]): Promise<number[]> {
  if (vulnerabilityIds.length === 0) return []
  const { rows } = await sql<{ id: number }>`
    select distinct b.vulnerability_id as id
    from alias_assertion a
    join alias_assertion b on b.other_id = a.other_id and b.bridges
    where a.vulnerability_id = any(${vulnerabilityIds}::bigint[]) and a.bridges`.execute(tx)
  return rows.map((row) => row.id)
}

/** Package keys of records as their stored ranges have them. */
export async function selectPackageKeys(tx: Tx, vulnerabilityIds: readonly number[]): Promise<string[]> {
  if (vulnerabilityIds.length === 0) return []
  const { rows } = await sql<{ package_key: string }>`
    select distinct package_key from affected_range
    where vulnerability_id = any(${vulnerabilityIds}::bigint[])`.execute(tx)
  return rows.map((row) => row.package_key)
}

/** Records that were not withdrawn, of one source; index vulnerability_source. */
export async function countLiveRecords(db: Db, source: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from vulnerability where source = ${source} and withdrawn_at is null`.execute(db)
  return rows[0]?.count ?? 0
}

/** Stored times of records, by record id. */
export async function selectModifiedTimes(db: Db, recordIds: readonly string[]): Promise<Map<string, Date>> {
  const { rows } = await sql<{ record_id: string; modified_at: Date }>`
    select record_id, modified_at from vulnerability where record_id = any(${recordIds}::text[])`.execute(db)
  return new Map(rows.map((row) => [row.record_id, row.modified_at]))
}

/** Ecosystems that some component is of, those never loaded first; index component_identity_package gives them in a few jumps. */
export async function selectUsedEcosystems(db: Db): Promise<string[]> {
  const { rows } = await sql<{ ecosystem: string }>`
    with recursive used (ecosystem, package_key) as (
      (select ecosystem, package_key from component_identity where package_key is not null order by package_key limit 1)
      union all
      select n.ecosystem, n.package_key
      from used u
      cross join lateral (
        select i.ecosystem, i.package_key from component_identity i
        -- past every key of this ecosystem: U+0020 follows the separator U+001F
        where i.package_key >= split_part(u.package_key, chr(31), 1) || ' '
        order by i.package_key limit 1
      ) n
    )
    select u.ecosystem
    from (select distinct ecosystem from used) u
    left join data_source d on d.name = 'osv:' || u.ecosystem
    where u.ecosystem is not null and u.ecosystem <> 'cpe'
    order by d.last_success_at nulls first, u.ecosystem`.execute(db)
  return rows.map((row) => row.ecosystem)
}

/** Whether some component is named by CPE; index component_identity_package. */
export async function hasCpeIdentities(db: Db): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from component_identity where package_key >= 'cpe' || chr(31) and package_key < 'cpe '
    ) as found`.execute(db)
  return rows[0]?.found === true
}
