import { sql } from 'kysely'
import { stateCapabilities } from '../../contract/workspace/plans.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { dayIn } from '../../platform/local-time.ts'
import { effectiveState, type PlanAndDates, planAndDates } from '../../workspace/state.ts'
import { isTimeZone } from '../../workspace/company/company-rules.ts'
import { countCoverageDay } from './coverage-days.ts'
import { countFamilies } from './count-families.ts'

/** The number of workspaces counted in one run: other scheduled work must not wait for all of them. */
const maxAtOnce = 25

type Due = PlanAndDates & { id: string; day: string }

/**
 * Scheduled: once a day, when it has begun by the clock of a workspace, counts its families. The process that moves the workspace's next
 * turn counts in the same transaction, so several processes count once. A day on which no process ran has no count, nor has one on which
 * monitoring is paused or the workspace closed: nothing was checked.
 */
export async function countDays(db: Db, now: Date): Promise<void> {
  for (const due of await selectDue(db, now)) {
    await db.transaction().execute((tx) => countDay(tx, due, now))
  }
}

async function selectDue(db: Db, now: Date): Promise<Due[]> {
  const { rows: zones } = await sql<{
    zone: string
  }>`select distinct time_zone as zone from workspace`.execute(db)
  // an unknown name of a zone must not block the others
  const days = zones.map(({ zone }) => dayIn(now, isTimeZone(zone) ? zone : 'UTC'))
  const { rows } = await sql<Due>`
    select w.id, ${planAndDates('w')}, z.day::text as day
    from workspace w
    join unnest(${zones.map(({ zone }) => zone)}::text[], ${days}::date[]) z(zone, day) on z.zone = w.time_zone
    left join family_day_turn t on t.workspace_id = w.id
    where t.day is null or t.day < z.day
    order by w.id limit ${sql.lit(maxAtOnce)}`.execute(db)
  return rows
}

async function countDay(tx: Tx, due: Due, now: Date): Promise<void> {
  const { rows: moved } = await sql`
    insert into family_day_turn as t (workspace_id, day) values (${due.id}, ${due.day}::date)
    on conflict (workspace_id) do update set day = excluded.day where t.day < excluded.day
    returning 1`.execute(tx)
  if (moved.length === 0 || !stateCapabilities[effectiveState(due, now)].monitoring) return
  const families = await countFamilies(tx, due.id)
  if (families.length === 0) return
  await tx
    .insertInto('family_day')
    .values(
      families.map(({ familyId, ...figures }) => ({
        family_id: familyId,
        day: due.day,
        workspace_id: due.id,
        counted_at: now,
        ...figures,
      })),
    )
    // with a clock that was set back this day has been counted before
    .onConflict((conflict) => conflict.columns(['family_id', 'day']).doNothing())
    .execute()
  await countCoverageDay(tx, { workspaceId: due.id, day: due.day, now })
}
