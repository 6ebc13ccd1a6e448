import { sql } from 'kysely'
import type { Db } from '../../database/connection.ts'
import { judgedComponents, stateOfJudged } from '../../findings/inventory/judged-components.ts'
import { isSettled } from '../../findings/verdicts/settled.ts'

/** What is counted of a family at a time. */
export type FamilyFigures = {
  familyId: string
  /** Open findings that the catalogue lists, and those that any of them lists. */
  kev: number
  euvd: number
  exploited: number
  /** Of the active SBOMs of the versions in use; a component counts once for every SBOM that has it. */
  covered: number
  components: number
}

/**
 * The figures of the families of a workspace that are in use, or of one of its families in any state, as they are now. Components of an SBOM
 * without inventory count as not covered. Indexes family_name, finding_exploited, sbom_active.
 */
export async function countFamilies(
  db: Db,
  workspaceId: string,
  familyId: string | null = null,
): Promise<FamilyFigures[]> {
  const { rows } = await sql<FamilyFigures>`
    with chosen as materialized (
      select id from family
      where workspace_id = ${workspaceId} and deleted_at is null
        and (case when ${familyId}::uuid is null then archived_at is null else id = ${familyId}::uuid end)
    ),
    listed as (
      select f.family_id, count(*) filter (where 'kev' = any(f.exploited_by)) as kev,
        count(*) filter (where 'euvd' = any(f.exploited_by)) as euvd, count(*) as exploited
      from chosen y
      join finding f on f.family_id = y.id
      where f.closed_at is null and f.exploited_by <> '{}' and not ${isSettled('f')}
      group by f.family_id
    ),
    active as materialized (
      select s.id, s.family_id, cardinality(s.component_numbers) as components
      from chosen y
      join sbom s on s.family_id = y.id
      left join product_version p on p.id = s.version_id
      where s.active and p.retired_at is null
    ),
    judged as (
      select a.family_id,
        sum(i.components) filter (where ${stateOfJudged} = 'covered')::bigint as covered,
        sum(i.components)::bigint as components
      from active a
      ${judgedComponents('a.id', sql`a.components`)}
      group by a.family_id
    )
    select y.id as "familyId", coalesce(l.kev, 0) as kev, coalesce(l.euvd, 0) as euvd, coalesce(l.exploited, 0) as exploited,
      coalesce(j.covered, 0) as covered, coalesce(j.components, 0) as components
    from chosen y
    left join listed l on l.family_id = y.id
    left join judged j on j.family_id = y.id
    order by y.id`.execute(db)
  return rows
}

/** The figures of several families together. */
export function sumFigures(figures: readonly FamilyFigures[]): Omit<FamilyFigures, 'familyId'> {
  const total = (of: (one: FamilyFigures) => number) => figures.reduce((sum, one) => sum + of(one), 0)
  return {
    kev: total((one) => one.kev),
    euvd: total((one) => one.euvd),
    exploited: total((one) => one.exploited),
    covered: total((one) => one.covered),
    components: total((one) => one.components),
  }
}
