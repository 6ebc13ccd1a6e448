import { sql } from 'kysely'
import type { Db, Tx } from '../../database/connection.ts'
import { uuidList } from '../../platform/postgres/columns.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import { awaitsRecord, decidabilityOf, reasonOf } from '../../vulndata/source-of-identity.ts'
import { noteUncovered, type ChangedIdentity } from '../../matching/named-identities.ts'
import { componentsOfSbom, runsOfSbom } from '../../sbom/components/components-of-sbom.ts'

type SbomChoice = { workspaceId: string; sbomIds: readonly string[] }

type Unmatched = {
  /** Identities of the SBOMs that have not been matched. */
  unmatched: string[]
  /** Those among them that are covered only where a record names them; nearly always none. */
  unnamed: string[]
}

export type Inventory = Unmatched & {
  /** SBOMs whose components `countCoverage` has yet to count. */
  uncounted: string[]
}

/** SBOMs with more components in total are done in two steps: counting takes as long as working out their findings. */
const manyComponents = 5_000

/**
 * Stores what is counted and looked up for whole SBOMs of one family: which components each has, as ranges of numbers, and how many of
 * them can be judged. Their identities must be written; a second run changes nothing.
 */
export async function takeInventory(
  db: Db,
  { workspaceId, sboms }: { workspaceId: string; sboms: readonly { sbomId: string; components: number }[] },
): Promise<Inventory> {
  const sbomIds = sboms.map(({ sbomId }) => sbomId)
  await forgetOutdated(db, { workspaceId, sbomIds })
  const total = sboms.reduce((sum, { components }) => sum + components, 0)
  if (total <= manyComponents) return { ...(await takeAtOnce(db, { workspaceId, sbomIds })), uncounted: [] }
  return { ...(await takeNumbers(db, { workspaceId, sbomIds })), uncounted: sbomIds }
}

/** Of an SBOM `s`. */
const numbersOfSbom = sql`(
  select coalesce(range_agg(int4range(first, last, '[]')), '{}') from ${runsOfSbom('s')} r
)`

/** Of SBOMs whose components were identified again, and have other numbers. */
async function forgetOutdated(db: Db, { workspaceId, sbomIds }: SbomChoice): Promise<void> {
  await sql`
    delete from sbom_inventory v
    using sbom s
    where s.workspace_id = ${workspaceId} and s.id = any(${uuidList(sbomIds)}) and v.sbom_id = s.id
      and v.numbers <> ${numbersOfSbom}`.execute(db)
}

async function takeAtOnce(db: Db, { workspaceId, sbomIds }: SbomChoice): Promise<Unmatched> {
  const { rows } = await sql<Unmatched>`
    with part as materialized (
      select s.id as sbom_id, i.id, ${decidabilityOf('i')} as decidability, i.ecosystem, i.other_ecosystems, i.release,
        ${reasonOf('i')} as reason, i.matched_at is null as is_unmatched, ${awaitsRecord('i')} as awaits_record
      from sbom s
      cross join ${componentsOfSbom('s')}
      join component_identity i on i.id = c.identity_id
      where s.workspace_id = ${workspaceId} and s.id = any(${uuidList(sbomIds)})
    ),
    counted as (
      select sbom_id, decidability, ecosystem, other_ecosystems, release, reason, count(*) as components
      from part
      group by sbom_id, decidability, ecosystem, other_ecosystems, release, reason
    ),
    taken as (
      insert into sbom_inventory (sbom_id, workspace_id, numbers, coverage)
      select s.id, s.workspace_id,
        ${numbersOfSbom},
        coalesce((select jsonb_agg(to_jsonb(c) - 'sbom_id') from counted c where c.sbom_id = s.id), '[]')
      from sbom s
      where s.workspace_id = ${workspaceId} and s.id = any(${uuidList(sbomIds)})
      on conflict (sbom_id) do nothing
    )
    select coalesce(array_agg(distinct id) filter (where is_unmatched), '{}') as unmatched,
      coalesce(array_agg(distinct id) filter (where is_unmatched and awaits_record), '{}') as unnamed
    from part`.execute(db)
  return rows[0] ?? { unmatched: [], unnamed: [] }
}

/** How many of the family's last matched SBOMs are checked for a component. */
const sbomsAsked = 3

/**
 * Which components the SBOMs have; returns their unmatched identities. Components of a matched SBOM need not be checked again: the next
 * release of a large product shares nearly all of them with the previous one. `offset` makes the server look up identities one by one: it
 * expects hardly any unmatched ones, and would scan all new components for each.
 */
async function takeNumbers(db: Db, { workspaceId, sbomIds }: SbomChoice): Promise<Unmatched> {
  const { rows } = await sql<Unmatched>`
    with given as materialized (
      select s.id, s.workspace_id, s.family_id, ${numbersOfSbom} as numbers
      from sbom s
      where s.workspace_id = ${workspaceId} and s.id = any(${uuidList(sbomIds)})
    ),
    taken as (
      insert into sbom_inventory (sbom_id, workspace_id, numbers)
      select id, workspace_id, numbers from given
      on conflict (sbom_id) do nothing
    ),
    asked as materialized (
      select id
      from sbom
      where workspace_id = ${workspaceId} and family_id = (select family_id from given limit 1) and status = 'matched'
      order by received_at desc, id desc
      limit ${sql.lit(sbomsAsked)}
    ),
    matched as materialized (
      select coalesce(range_agg(v.numbers), '{}') as numbers
      from asked a
      join sbom_inventory v on v.sbom_id = a.id
    ),
    fresh as materialized (
      select distinct c.identity_id
      from given g
      cross join matched m
      cross join unnest(g.numbers - m.numbers) as r (run)
      cross join lateral (
        select identity_id from component
        where family_id = g.family_id and number >= lower(r.run) and number < upper(r.run) offset 0
      ) c
    )
    select coalesce(array_agg(i.id), '{}') as unmatched,
      coalesce(array_agg(i.id) filter (where ${awaitsRecord('i')}), '{}') as unnamed
    from fresh f
    cross join lateral (
      select id, is_named, other_ecosystems from component_identity where id = f.identity_id and matched_at is null offset 0
    ) i`.execute(db)
  return rows[0] ?? { unmatched: [], unnamed: [] }
}

/** Counts how many components of the SBOMs can be judged, where that has not been counted. Running it twice changes nothing. */
export async function countCoverage(db: Db, { workspaceId, sbomIds }: SbomChoice): Promise<void> {
  if (sbomIds.length === 0) return
  await sql`
    update sbom_inventory v set coverage = ${coverageOfSbom}
    from sbom s
    where s.id = v.sbom_id and s.workspace_id = ${workspaceId} and s.id = any(${uuidList(sbomIds)})
      and v.coverage is null`.execute(db)
}

/** How many components of an SBOM `s` can be judged, and why the others cannot. */
const coverageOfSbom = sql`(
  select coalesce(jsonb_agg(to_jsonb(counted)), '[]')
  from (
    select ${decidabilityOf('i')} as decidability, i.ecosystem, i.other_ecosystems, i.release, ${reasonOf('i')} as reason,
      count(*) as components
    from ${componentsOfSbom('s')}
    join component_identity i on i.id = c.identity_id
    group by 1, 2, 3, 4, 5
  ) counted
)`

type Change = (tx: Tx) => Promise<ChangedIdentity[]>

/**
 * Runs a change of whether identities can be judged, which returns those that it changed, notes which are covered no longer, and recounts the coverage
 * of the SBOMs that have one of them. In one transaction: after an interruption in between, the next run would not see that they changed.
 */
export async function recountCoverageAfter(db: Db, change: Change, now: Date): Promise<void> {
  await transact(db, async (tx) => {
    const changed = await change(tx)
    if (changed.length === 0) return
    await noteUncovered(tx, changed, now)
    await recountCoverage(
      tx,
      changed.map(({ id }) => id),
    )
  })
}

async function recountCoverage(db: Db, identityIds: readonly string[]): Promise<void> {
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
