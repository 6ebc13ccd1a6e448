import { sql } from 'kysely'
import type { LostCoverage, WorkspaceCoverage } from '../../contract/inventory/shapes.ts'
import type { Db } from '../../database/connection.ts'
import { selectUncovered } from '../../findings/inventory/select-uncovered.ts'
import { selectCoverageDays } from '../../metrics/days/coverage-days.ts'
import { lostCoverage, mostComponentsFirst } from '../../metrics/days/lost-coverage.ts'
import { dayMs } from '../../contract/durations.ts'
import { activeSboms, judgedComponents, stateOfJudged } from '../../findings/inventory/judged-components.ts'
import { stateNames, sumStates, type CountedState } from './coverage-states.ts'

const shownReasons = 50

type Counted = CountedState & {
  ecosystem: string | null
  reason: string | null
  /** The components by release. */
  releases: Record<string, number>
  sboms: number
}

/**
 * How many components of the workspace's active SBOMs can be judged, and why the others cannot, by the inventory that was taken
 * of each SBOM. Archived families and retired versions are left out.
 */
export async function selectWorkspaceCoverage(
  db: Db,
  workspaceId: string,
  now: Date,
): Promise<Omit<WorkspaceCoverage, 'data'>> {
  const { rows } = await sql<Counted>`
    with ${activeSboms(workspaceId)},
    counted as (
      select ${stateOfJudged} as decidability, i.ecosystem, i.reason, coalesce(i.release, '') as release,
        sum(i.components)::bigint as components
      from active a
      ${judgedComponents('a.id', sql`cardinality(a.component_numbers)`)}
      group by 1, 2, 3, 4
    )
    select decidability, ecosystem, reason, sum(components)::bigint as components, jsonb_object_agg(release, components) as releases,
      (select count(*) from active) as sboms
    from counted
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
    lost: await selectLost(db, { workspaceId, rows, now }),
  }
}

/** Of what was covered at any count of the last seven days: of an ecosystem the most that was. */
async function selectLost(
  db: Db,
  { workspaceId, rows, now }: { workspaceId: string; rows: readonly Counted[]; now: Date },
): Promise<WorkspaceCoverage['lost']> {
  const after = new Date(now.getTime() - 7 * dayMs)
  const days = await selectCoverageDays(db, workspaceId, { after, until: now })
  const [first] = days
  if (first === undefined) return null
  const counted = rows.flatMap(({ ecosystem, decidability: state, releases }) =>
    Object.entries(releases).map(([release, components]) => ({ ecosystem, release, state, components })),
  )
  const uncovered = await selectUncovered(db, workspaceId, { after: first.countedAt, until: now })
  const most = new Map<string | null, LostCoverage>()
  for (const lost of days.flatMap((day) => lostCoverage(day.counted, counted, uncovered)))
    if (lost.components > (most.get(lost.ecosystem)?.components ?? 0)) most.set(lost.ecosystem, lost)
  return { since: first.day, ecosystems: [...most.values()].sort(mostComponentsFirst) }
}
