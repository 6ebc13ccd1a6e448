import { sql } from 'kysely'
import type { CountedDay } from '../../contract/metrics/shapes.ts'
import type { Db } from '../../database/connection.ts'
import { countFamilies, sumFigures } from '../days/count-families.ts'
import { chosenFamilies, type MetricsScope } from './scope.ts'

/**
 * What was counted on the days from the first one on, and now. A family that there was not yet on a day adds nothing to it. Index
 * family_day_workspace.
 */
export async function selectCountedDays(
  db: Db,
  scope: MetricsScope,
  { firstDay, today }: { firstDay: string; today: string },
): Promise<{ since: string | null; days: CountedDay[] }> {
  const { rows } = await sql<CountedDay & { since: string }>`
    with ${chosenFamilies(scope)},
    daily as (
      select c.day, sum(c.kev)::bigint as kev, sum(c.euvd)::bigint as euvd, sum(c.exploited)::bigint as exploited,
        sum(c.covered)::bigint as covered, sum(c.components)::bigint as components
      from chosen y
      join family_day c on c.family_id = y.id
      where c.workspace_id = ${scope.workspaceId}
      group by c.day
    )
    select to_char(day, 'YYYY-MM-DD') as day, kev, euvd, exploited, covered, components,
      (select to_char(min(day), 'YYYY-MM-DD') from daily) as since
    from daily
    order by daily.day desc limit 366`.execute(db)
  const days = rows
    .map(({ since: _since, ...day }) => day)
    .filter(({ day }) => day >= firstDay && day < today)
    .reverse()
  const now = sumFigures(await countFamilies(db, scope.workspaceId, scope.familyId))
  return { since: rows[0]?.since ?? null, days: [...days, { day: today, ...now }] }
}
