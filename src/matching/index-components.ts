import { sql, type RawBuilder } from 'kysely'
import { prepared } from '../platform/postgres/prepared.ts'
import type { Db, Tx } from '../database/connection.ts'
import { uuidList } from '../platform/postgres/columns.ts'
import { retrySerialization } from '../platform/postgres/pool.ts'
import { componentsOfSbom } from '../sbom/components-of-sbom.ts'

type Family = { workspaceId: string; familyId: string }

/**
 * Bytes of a name and its text together: an entry of an index may have 2 704. Of texts that are longer the beginning is found.
 */
const searchedBytes = 2_500
const longestCharacterBytes = 4

/**
 * Puts the components that are new in a family since the last time into what `searchComponents` looks through; answers how many they
 * were. Running it twice changes nothing.
 */
export async function indexComponents(db: Db, family: Family): Promise<number> {
  const fresh = await countNewComponents(db, family)
  if (fresh > 0) {
    await retrySerialization(() =>
      db.transaction().execute(async (tx) => {
        const next = await lockProgress(tx, family)
        await indexFrom(tx, family, next)
      }),
    )
  }
  return fresh
}

async function countNewComponents(db: Db, { workspaceId, familyId }: Family): Promise<number> {
  const { rows } = await sql<{ fresh: number }>`
    select f.next_component_number - coalesce(p.next_number, 1) as fresh
    from family f
    left join component_search p on p.family_id = f.id
    where f.workspace_id = ${workspaceId} and f.id = ${familyId}
    ${prepared}`.execute(db)
  return rows[0]?.fresh ?? 0
}

/** The first number that is not indexed. Whoever indexes the same family waits here. */
async function lockProgress(tx: Tx, { workspaceId, familyId }: Family): Promise<number> {
  const { rows } = await sql<{ next_number: number }>`
    insert into component_search (family_id, workspace_id, next_number)
    values (${familyId}, ${workspaceId}, 1)
    on conflict (family_id) do update set next_number = component_search.next_number
    returning next_number`.execute(tx)
  return rows[0]?.next_number ?? 1
}

/** Texts are inserted in their order, so that two families of a workspace never wait for each other in a ring. */
async function indexFrom(tx: Tx, { workspaceId, familyId }: Family, next: number): Promise<void> {
  await sql`
    with fresh as materialized (
      select number, lower(name) as name, version, group_name, lower(purl) as purl, hashes
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

/** What a digest is found by; the component itself is compared afterwards. */
export function hashKey(workspaceId: string, digest: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`('x' || left(
    encode(sha256(convert_to(${workspaceId}::text || ${digest}, 'UTF8')), 'hex'), 16))::bit(64)::bigint`
}

/**
 * Keeps what is counted and looked up about SBOMs as a whole: which components each has, as ranges of numbers, and how many of
 * them can be judged. Answers their identities that have not been matched. They must be written; running it twice changes nothing.
 */
export async function takeInventory(
  db: Db,
  workspaceId: string,
  sbomIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ unmatched: string[] | null }>`
    with part as materialized (
      select s.id as sbom_id, i.id, i.decidability, i.ecosystem, i.reason, i.matched_at is null as is_unmatched
      from sbom s
      cross join ${componentsOfSbom}
      join component_identity i on i.id = c.identity_id
      where s.workspace_id = ${workspaceId} and s.id = any(${uuidList(sbomIds)})
    ),
    counted as (
      select sbom_id, decidability, ecosystem, reason, count(*) as components
      from part
      group by sbom_id, decidability, ecosystem, reason
    ),
    taken as (
      insert into sbom_inventory (sbom_id, workspace_id, numbers, coverage)
      select s.id, s.workspace_id,
        (select coalesce(range_agg(int4range(number, number, '[]')), '{}') from unnest(s.component_numbers) as n (number)),
        coalesce((select jsonb_agg(to_jsonb(c) - 'sbom_id') from counted c where c.sbom_id = s.id), '[]')
      from sbom s
      where s.workspace_id = ${workspaceId} and s.id = any(${uuidList(sbomIds)})
      on conflict (sbom_id) do nothing
    )
    select array_agg(distinct id) filter (where is_unmatched) as unmatched from part`.execute(db)
  return rows[0]?.unmatched ?? []
}

/** How many components can be judged, and why the others cannot; `identities` yields the identity `i` of each. */
function coverageOf(identities: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select coalesce(jsonb_agg(to_jsonb(counted)), '[]')
    from (
      select i.decidability, i.ecosystem, i.reason, count(*) as components
      from ${identities}
      group by i.decidability, i.ecosystem, i.reason
    ) counted
  )`
}

/** Of an SBOM `s`. */
const coverageOfSbom = coverageOf(sql`${componentsOfSbom}
      join component_identity i on i.id = c.identity_id`)

/** Counts anew in the SBOMs that have one of these identities, after it became another question whether they can be judged. */
export async function recountCoverage(db: Db, identityIds: readonly string[]): Promise<void> {
  if (identityIds.length === 0) return
  await sql`
    with sought as materialized (
      select family_id, range_agg(int4range(number, number, '[]')) as numbers
      from component
      where identity_id = any(${uuidList(identityIds)})
      group by family_id
    ),
    reached as materialized (
      select v.sbom_id, ${coverageOfSbom} as coverage
      from sought w
      join sbom s on s.family_id = w.family_id
      join sbom_inventory v on v.sbom_id = s.id and v.numbers && w.numbers
    )
    update sbom_inventory v set coverage = r.coverage
    from reached r
    where v.sbom_id = r.sbom_id`.execute(db)
}

/** Forgets the components of a deleted family, while they are still there. */
export async function forgetComponents(db: Db, { workspaceId, familyId }: Family): Promise<void> {
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
