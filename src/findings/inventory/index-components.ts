import { sql } from 'kysely'
import { prepared } from '../../platform/postgres/prepared.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import { hashKey } from '../../sbom/components/hash-key.ts'
import type { FamilyKey } from '../../workspace/monitoring/family-key.ts'

/**
 * The limit in bytes for a name and its text together: an index entry may have 2 704. Of longer texts only the beginning is found.
 */
const searchedBytes = 2_500
const longestCharacterBytes = 4

/**
 * Adds the components that are new in a family to the index of `searchComponents`; returns how many there were. A second run changes
 * nothing.
 */
export async function indexComponents(db: Db, family: FamilyKey): Promise<number> {
  const fresh = await countNewComponents(db, family)
  if (fresh > 0) {
    await transact(db, async (tx) => {
      const next = await lockProgress(tx, family)
      await indexFrom(tx, family, next)
    })
  }
  return fresh
}

async function countNewComponents(db: Db, { workspaceId, familyId }: FamilyKey): Promise<number> {
  const { rows } = await sql<{ fresh: number }>`
    select f.next_component_number - coalesce(p.next_number, 1) as fresh
    from family f
    left join component_search p on p.family_id = f.id
    where f.workspace_id = ${workspaceId} and f.id = ${familyId}
    ${prepared}`.execute(db)
  return rows[0]?.fresh ?? 0
}

/** The first number that is not indexed. Concurrent indexing of the same family waits here. */
export async function lockProgress(tx: Tx, { workspaceId, familyId }: FamilyKey): Promise<number> {
  const { rows } = await sql<{ next_number: number }>`
    insert into component_search (family_id, workspace_id, next_number)
    values (${familyId}, ${workspaceId}, 1)
    on conflict (family_id) do update set next_number = component_search.next_number
    returning next_number
    ${prepared}`.execute(tx)
  return rows[0]?.next_number ?? 1
}

/** Texts are inserted in order, so that two families of a workspace never deadlock. */
async function indexFrom(tx: Tx, { workspaceId, familyId }: FamilyKey, next: number): Promise<void> {
  await sql`
    with fresh as materialized (
      select number, lower(name) as name, version, group_name,
        nullif(lower(concat_ws(' ', purl, array_to_string(other_names, ' '))), '') as purl, hashes
      from component
      where workspace_id = ${workspaceId} and family_id = ${familyId} and number >= ${next}::int
    ),
    names as (
      insert into component_name (workspace_id, name, family_id, number)
      select ${workspaceId}::uuid, name collate "C", ${familyId}::uuid, number
      from fresh order by 2, 4
    ),
    texts as (
      insert into component_text (workspace_id, name, text)
      select distinct ${workspaceId}::uuid, name collate "C", ${searchedText} collate "C"
      from fresh order by 2, 3
      on conflict do nothing
    ),
    hashes as (
      insert into component_hash (search_key, family_id, number)
      select ${hashKey(workspaceId, sql`split_part(h.hash, ':', 2)`)}, ${familyId}::uuid, number
      from fresh cross join unnest(hashes) as h (hash)
      order by 1
    )
    update component_search
    set next_number = (select next_component_number from family where id = ${familyId})
    where family_id = ${familyId}`.execute(tx)
}

const searchedText = sql`left(
  concat_ws(' ', purl,
    case when strpos(purl, lower(group_name)) > 0 then null else lower(group_name) end,
    case when strpos(purl, lower(version)) > 0 then null else lower(version) end),
  greatest(0, ${sql.lit(searchedBytes)} - octet_length(name)) / ${sql.lit(longestCharacterBytes)})`

/** Forgets the components of a deleted family, while they are still there. */
export async function forgetComponents(db: Db, { workspaceId, familyId }: FamilyKey): Promise<void> {
  await sql`
    delete from component_text t
    using (
      select distinct lower(name) as name from component
      where workspace_id = ${workspaceId} and family_id = ${familyId}
    ) gone
    where t.workspace_id = ${workspaceId} and t.name = gone.name collate "C" and not exists (
      select from component_name c
      where c.workspace_id = ${workspaceId} and c.name = t.name and c.family_id <> ${familyId}
    )`.execute(db)
  await sql`
    delete from component_name n
    using component c
    where c.workspace_id = ${workspaceId} and c.family_id = ${familyId}
      and n.workspace_id = c.workspace_id and n.name = lower(c.name) collate "C" and n.family_id = c.family_id
      and n.number = c.number`.execute(db)
  await sql`
    delete from component_hash h
    using (
      select distinct ${hashKey(workspaceId, sql`split_part(k.hash, ':', 2)`)} as search_key
      from component c cross join unnest(c.hashes) as k (hash)
      where c.workspace_id = ${workspaceId} and c.family_id = ${familyId}
    ) gone
    where h.search_key = gone.search_key and h.family_id = ${familyId}`.execute(db)
  await sql`
    delete from component_search where workspace_id = ${workspaceId} and family_id = ${familyId}`.execute(db)
}
