import { sql } from 'kysely'
import type { WorkspaceCoverage } from '../../contract/inventory/shapes.ts'
import type { Db } from '../../database/connection.ts'
import { loadOfSource, sourceOfIdentity } from '../../vulndata/source-of-identity.ts'
import { stateNames, sumStates, type CountedState } from './coverage-states.ts'

const shownReasons = 50

type Counted = CountedState & {
  ecosystem: string | null
  reason: string | null
  sboms: number
}

/**
 * How many components of the workspace's active SBOMs can be judged, and why the others cannot, by the inventory that was taken
 * of each SBOM. Archived families and retired versions are left out.
 */
export async function selectWorkspaceCoverage(
  db: Db,
  workspaceId: string,
): Promise<Omit<WorkspaceCoverage, 'data'>> {
  const { rows } = await sql<Counted>`
    with active as materialized (
      select s.id, s.component_numbers
      from sbom s
      join family y on y.id = s.family_id and y.archived_at is null and y.deleted_at is null
      left join product_version p on p.id = s.version_id
      where s.workspace_id = ${workspaceId} and s.active and p.retired_at is null
    )
    select
      case when i.decidability = 'covered' then ${loadOfSource('d')} else i.decidability end as decidability,
      i.ecosystem, i.reason, sum(i.components)::bigint as components, (select count(*) from active) as sboms
    from active a
    left join sbom_inventory v on v.sbom_id = a.id
    cross join jsonb_to_recordset(coalesce(v.coverage, ${nobodyHasLooked}))
      as i (decidability text, ecosystem text, other_ecosystems text[], reason text, components bigint)
    left join data_source d on d.name = ${sourceOfIdentity('i')}
    group by 1, 2, 3
    order by components desc, 1, 2, 3`.execute(db)
  const undecided = rows.filter(({ decidability }) => decidability !== 'covered')
  return {
    coverage: sumStates(rows),
    sboms: rows[0]?.sboms ?? 0,
    reasons: undecided.slice(0, shownReasons).map(({ decidability, ecosystem, reason, components }) => ({
      state: stateNames[decidability],
      ecosystem,
      reason,
      components,
    })),
  }
}

/** For an SBOM that has just arrived. */
const nobodyHasLooked = sql`jsonb_build_array(
  jsonb_build_object('decidability', 'data_not_loaded', 'components', cardinality(a.component_numbers)))`
