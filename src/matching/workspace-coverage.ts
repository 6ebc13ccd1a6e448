import { sql } from 'kysely'
import type { WorkspaceCoverage } from '../contract/inventory.ts'
import type { Coverage } from '../contract/sbom.ts'
import type { Db } from '../database/connection.ts'
import { sourceOfIdentity } from '../vulndata/source-of-identity.ts'

const names = {
  covered: 'covered',
  not_covered: 'notCovered',
  no_version: 'noVersion',
  uncomparable: 'uncomparable',
  release_unknown: 'releaseUnknown',
  data_not_loaded: 'dataNotLoaded',
} as const satisfies Record<string, keyof Coverage>

const shownReasons = 50

type Counted = {
  decidability: keyof typeof names
  ecosystem: string | null
  reason: string | null
  components: number
  sboms: number
}

/**
 * How many components of the workspace's active SBOMs can be judged, and why the others cannot. Archived families and retired
 * versions are left out.
 */
export async function selectWorkspaceCoverage(db: Db, workspaceId: string): Promise<WorkspaceCoverage> {
  const { rows } = await sql<Counted>`
    with active as materialized (
      select s.family_id, s.component_numbers
      from sbom s
      join family y on y.id = s.family_id and y.archived_at is null and y.deleted_at is null
      left join product_version p on p.id = s.version_id
      where s.workspace_id = ${workspaceId} and s.active and p.retired_at is null
    ),
    part as (
      select family_id, n.number, count(*) as uses
      from active cross join unnest(component_numbers) as n (number)
      group by family_id, n.number
    ),
    identity as (
      select c.identity_id, sum(p.uses) as uses
      from part p join component c on c.family_id = p.family_id and c.number = p.number
      group by c.identity_id
    )
    select
      case when i.decidability = 'covered' and d.last_success_at is null then 'data_not_loaded' else i.decidability end
        as decidability,
      i.ecosystem, i.reason, sum(u.uses)::bigint as components, (select count(*) from active) as sboms
    from identity u
    join component_identity i on i.id = u.identity_id
    left join data_source d on d.name = ${sourceOfIdentity}
    group by 1, 2, 3
    order by components desc, 1, 2, 3`.execute(db)
  const undecided = rows.filter(({ decidability }) => decidability !== 'covered')
  return {
    coverage: sumStates(rows),
    sboms: rows[0]?.sboms ?? 0,
    reasons: undecided.slice(0, shownReasons).map(({ decidability, ecosystem, reason, components }) => ({
      state: names[decidability],
      ecosystem,
      reason,
      components,
    })),
  }
}

function sumStates(rows: readonly Counted[]): Coverage {
  const coverage: Coverage = {
    covered: 0,
    notCovered: 0,
    noVersion: 0,
    uncomparable: 0,
    releaseUnknown: 0,
    dataNotLoaded: 0,
  }
  for (const { decidability, components } of rows) coverage[names[decidability]] += components
  return coverage
}
