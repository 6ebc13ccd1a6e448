import { sql } from 'kysely'
import type { Metrics } from '../../contract/metrics/shapes.ts'
import type { Db } from '../../database/connection.ts'
import { dayAfter, dayIn } from '../../platform/local-time.ts'
import { selectFamily } from '../../products/families/select-families.ts'
import { selectCountedDays } from './counted-days.ts'
import { selectDurations } from './durations.ts'
import { selectOpenDays } from './open-days.ts'
import { chosenFamilies, type MetricsScope } from './scope.ts'

/**
 * The metrics of a family, or of all families in use, for so many days up to today. Drills are not findings, so they are not counted.
 * Codes: `not_found` (family).
 */
export async function describeMetrics(
  db: Db,
  { days, timeZone, ...scope }: MetricsScope & { days: number; timeZone: string },
  now: Date,
): Promise<Metrics> {
  const family = scope.familyId === null ? null : await selectFamily(db, scope.workspaceId, scope.familyId)
  const today = dayIn(now, timeZone)
  const period = { firstDay: dayAfter(today, -days), timeZone }
  const { families, knownSince } = await selectBeginning(db, scope, timeZone)
  const counted = await selectCountedDays(db, scope, { ...period, today })
  return {
    family: family === null ? null : { id: family.id, name: family.name },
    families,
    firstDay: period.firstDay,
    today,
    knownSince,
    open: await selectOpenDays(db, scope, period),
    countedSince: counted.since,
    counted: counted.days,
    ...(await selectDurations(db, scope, { ...period, now })),
  }
}

/** An SBOM that was removed counts as a beginning, too. Indexes sbom_family, removed_sbom_family. */
async function selectBeginning(
  db: Db,
  scope: MetricsScope,
  timeZone: string,
): Promise<{ families: number; knownSince: string | null }> {
  const { rows } = await sql<{ families: number; knownSince: string | null }>`
    with ${chosenFamilies(scope)}
    select (select count(*) from chosen) as families, to_char(least(
        (select min(s.received_at) from chosen y join sbom s on s.workspace_id = ${scope.workspaceId} and s.family_id = y.id),
        (select min(r.received_at) from chosen y join removed_sbom r on r.workspace_id = ${scope.workspaceId} and r.family_id = y.id)
      ) at time zone ${timeZone}::text, 'YYYY-MM-DD') as "knownSince"`.execute(db)
  return rows[0] ?? { families: 0, knownSince: null }
}
