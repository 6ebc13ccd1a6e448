import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../database/connection.ts'
import { uuidList } from '../platform/postgres/columns.ts'
import { awaitsRecord } from '../vulndata/source-of-identity.ts'

/**
 * Looks again which of the identities that only a record's word covers, as themselves or by a further key, are named by a loaded record that is
 * not withdrawn; returns those whose answer has changed. The rows are locked first, so that of two imports at once the later one has the
 * last word. Index affected_range_package.
 */
export async function nameAgain(tx: Tx, identityIds: readonly string[]): Promise<string[]> {
  const { rows: locked } = await sql<{ id: string }>`
    select id from component_identity i
    where id = any(${uuidList(identityIds)}) and ${awaitsRecord('i')}
    order by id
    for update`.execute(tx)
  if (locked.length === 0) return []
  const ids = uuidList(locked.map(({ id }) => id))
  await nameKeys(tx, ids)
  const { rows } = await sql<{ id: string }>`
    with covered as materialized (
      select identity_id, ecosystem from identity_key
      where identity_id = any(${ids}) and decidability = 'covered' and is_named is distinct from false
    ),
    looked as materialized (
      select i.id,
        case when i.is_named is not null then ${isNamed('i')} or exists (
          select from covered k where k.identity_id = i.id and k.ecosystem = i.ecosystem
        ) end as is_named,
        case when i.other_ecosystems is not null then array(
          select distinct k.ecosystem from covered k where k.identity_id = i.id and k.ecosystem <> i.ecosystem order by 1
        ) end as other_ecosystems
      from component_identity i
      where i.id = any(${ids})
    )
    update component_identity i set is_named = l.is_named, other_ecosystems = l.other_ecosystems
    from looked l
    where i.id = l.id and (i.is_named, i.other_ecosystems) is distinct from (l.is_named, l.other_ecosystems)
    returning i.id`.execute(tx)
  return rows.map(({ id }) => id)
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

/** Whether a record names the package of a key. */
function isNamed(key: string): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from affected_range r
    join vulnerability v on v.id = r.vulnerability_id
    where r.package_key = ${sql.ref(`${key}.package_key`)} and v.withdrawn_at is null
  )`
}
