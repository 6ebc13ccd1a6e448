import { sql, type RawBuilder } from 'kysely'
import type { KeyOrigin } from '../contract/identity.ts'
import type { Tx } from '../database/connection.ts'
import { uuidList } from '../platform/postgres/columns.ts'
import type { RangeDoubt } from '../records/compiled-record.ts'
import {
  awaitsRecord,
  decidabilityOf,
  sourceOfIdentity,
  stateOfIdentity,
} from '../vulndata/source-of-identity.ts'

/** Whether it can be judged, or why not, has changed. */
export type ChangedIdentity = { id: string; wasCovered: boolean }

/**
 * Checks again which of the identities that are covered only where a record names them, themselves or by a further key, are named by a loaded
 * record that is not withdrawn; returns those that have changed, and whether they were covered. The rows are locked first, so that of two imports at once the later one
 * decides. Index affected_range_package.
 */
export async function nameAgain(tx: Tx, identityIds: readonly string[]): Promise<ChangedIdentity[]> {
  const { rows: locked } = await sql<{ id: string }>`
    select id from component_identity i
    where id = any(${uuidList(identityIds)}) and ${awaitsRecord('i')}
    order by id
    for update`.execute(tx)
  if (locked.length === 0) return []
  const ids = uuidList(locked.map(({ id }) => id))
  await addSourceKeys(tx, ids)
  await nameKeys(tx, ids)
  const { rows } = await sql<ChangedIdentity>`
    with covered as materialized (
      select identity_id, ecosystem from identity_key
      where identity_id = any(${ids}) and decidability = 'covered' and is_named is distinct from false and origin <> ${aName}
    ),
    looked as materialized (
      select i.id,
        case when i.is_named is not null then ${isNamed('i')} or exists (
          select from covered k where k.identity_id = i.id and k.ecosystem = i.ecosystem
        ) or (i.decidability <> 'covered' and exists (
          -- what hinders the comparison is then the reason, and no longer that nobody names the repository
          select from identity_key k where k.identity_id = i.id and k.is_named
        )) end as is_named,
        case when i.other_ecosystems is not null then array(
          select distinct k.ecosystem from covered k where k.identity_id = i.id and k.ecosystem <> i.ecosystem order by 1
        ) end as other_ecosystems
      from component_identity i
      where i.id = any(${ids})
    )
    update component_identity i set is_named = l.is_named, other_ecosystems = l.other_ecosystems
    from looked l
    where i.id = l.id and (i.is_named, i.other_ecosystems) is distinct from (l.is_named, l.other_ecosystems)
    returning i.id, exists (
      -- as it was before this statement
      select from component_identity o
      join data_source d on d.name = ${sourceOfIdentity('o')}
      where o.id = i.id and ${stateOfIdentity('o', 'd')} = 'covered'
    ) as "wasCovered"`.execute(tx)
  return rows
}

/**
 * Notes which of them are covered no longer: the counts of a day do not show a loss beside which something else of the ecosystem is covered for the first
 * time.
 */
export async function noteUncovered(tx: Tx, changed: readonly ChangedIdentity[], now: Date): Promise<void> {
  const isCovered = sql<boolean>`${decidabilityOf('i')} = 'covered'`
  const wereCovered = changed.filter(({ wasCovered }) => wasCovered)
  const [all, before] = [changed, wereCovered].map((identities) => uuidList(identities.map(({ id }) => id)))
  await sql`
    update component_identity i set uncovered_at = case when not ${isCovered} then ${now}::timestamptz end
    where i.id = any(${all}) and case when ${isCovered} then i.uncovered_at is not null else i.id = any(${before}) end`.execute(
    tx,
  )
}

/** A mere name covers nothing, whoever uses it. */
const aName = sql.lit('name' satisfies KeyOrigin)

/** More sources than this have not built a package in one release; they may change over the years. */
const maxSources = 8

/**
 * Gives packages whose source is not stated the key of the one that records say they were built from (`binary_source`), with their own version:
 * only packages that have the version of their source are told of.
 */
async function addSourceKeys(tx: Tx, ids: RawBuilder<unknown>): Promise<void> {
  await sql`
    with known as materialized (
      select i.*, coalesce((select max(number) from identity_key k where k.identity_id = i.id), 0) as last
      from component_identity i
      where i.id = any(${ids}) and i.release is not null
    )
    insert into identity_key (identity_id, number, origin, ecosystem, package_key, version, release, stream, scheme, version_key,
      decidability, basis)
    select i.id, i.last + s.place, ${sql.lit('source' satisfies KeyOrigin)}, i.ecosystem, s.source_key, i.version, i.release, i.stream,
      i.scheme, i.version_key, i.decidability, i.basis
    from known i
    cross join lateral (
      select b.source_key, row_number() over (order by b.source_key) as place
      from binary_source b
      where b.package_key = i.package_key and b.release = i.release and not exists (
        select from identity_key k where k.identity_id = i.id and k.package_key = b.source_key
      )
      order by b.source_key
      limit ${sql.lit(maxSources)}
    ) s
    order by i.id, s.place`.execute(tx)
}

async function nameKeys(tx: Tx, ids: RawBuilder<unknown>): Promise<void> {
  await sql`
    with looked as materialized (
      select k.identity_id, k.number, ${isNamed('k')} as is_named
      from identity_key k
      where k.identity_id = any(${ids}) and k.is_named is not null
    )
    update identity_key k set is_named = l.is_named
    from looked l
    where k.identity_id = l.identity_id and k.number = l.number and k.is_named <> l.is_named`.execute(tx)
}

/**
 * Whether a record names the package of a key. Of a repository it must name versions: commits are compared with nothing but commits, and where a record only says
 * that the source of a product lies there, the next one need not say so.
 */
function isNamed(key: string): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from affected_range r
    join vulnerability v on v.id = r.vulnerability_id
    where r.package_key = ${sql.ref(`${key}.package_key`)} and v.withdrawn_at is null
      and r.doubt is distinct from ${sql.lit('product_of_repository' satisfies RangeDoubt)}
      and (r.scheme <> 'generic' or (r.kind = 'listed' and r.lower_key is not null)
        or (r.kind = 'range' and r.doubt is distinct from ${sql.lit('any_version' satisfies RangeDoubt)}))
  )`
}
