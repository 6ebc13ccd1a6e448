import { sql } from 'kysely'
import type { Tx } from '../database/connection.ts'
import { uuidList } from '../platform/postgres/columns.ts'

/**
 * Looks again which of the identities that only a record's word covers are named by a loaded record that is not withdrawn; returns those whose
 * answer has changed. The rows are locked first, so that of two imports at once the later one has the last word. Index affected_range_package.
 */
export async function nameAgain(tx: Tx, identityIds: readonly string[]): Promise<string[]> {
  const { rows: locked } = await sql<{ id: string }>`
    select id from component_identity
    where id = any(${uuidList(identityIds)}) and is_named is not null
    order by id
    for update`.execute(tx)
  if (locked.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    with looked as materialized (
      select i.id, exists (
        select from affected_range r
        join vulnerability v on v.id = r.vulnerability_id
        where r.package_key = i.package_key and v.withdrawn_at is null
      ) as is_named
      from component_identity i
      where i.id = any(${uuidList(locked.map(({ id }) => id))})
    )
    update component_identity i set is_named = l.is_named
    from looked l
    where i.id = l.id and i.is_named <> l.is_named
    returning i.id`.execute(tx)
  return rows.map(({ id }) => id)
}
