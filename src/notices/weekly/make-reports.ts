import { sql } from 'kysely'
import { choiceOf, noticeRules } from '../../contract/notices/shapes.ts'
import type { WeeklyReport } from '../../contract/metrics/weekly-report.ts'
import { stateCapabilities } from '../../contract/workspace/plans.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { newId } from '../../platform/random.ts'
import { effectiveState, staysHere } from '../../workspace/state.ts'
import { insertMails } from '../mail/insert-mails.ts'
import { lastWeeklyTime } from '../digest-time.ts'
import { selectWeeklyReport, type WeekOf } from './weekly-facts.ts'
import {
  memberInTime,
  membersInTime,
  timesOfZones,
  zoneOfMember,
  type MemberInTime,
} from '../members-times.ts'

type Due = MemberInTime & {
  /** The Monday whose 08:00 has come. */
  week: string
  at: Date
  since: Date
}

/** Members in one run: other scheduled work must not wait for all of them. */
const maxAtOnce = 500

/**
 * Scheduled: once a week, on Monday at 08:00 in each member's zone, puts the report of the week into the outbox of those who chose it. The
 * process that moves a member's next turn makes the report in the same transaction, so several processes and restarts make it once. Turns of
 * all members move on: somebody who chooses the report on a Wednesday gets the first one on the next Monday.
 */
export async function makeWeeklyReports(
  db: Db,
  { now, switchedOff }: { now: Date; switchedOff: readonly string[] },
): Promise<void> {
  const known = new Map<string, Promise<WeeklyReport | undefined>>()
  for (const due of await selectDue(db, now)) {
    await db
      .transaction()
      .execute((tx) =>
        makeReport(tx, { due, now, reportOf: (of) => keptOr(known, db, { ...of, switchedOff, now }) }),
      )
  }
}

/** Most members of a workspace have the same week: each is counted once. */
function keptOr(
  known: Map<string, Promise<WeeklyReport | undefined>>,
  db: Db,
  of: WeekOf,
): Promise<WeeklyReport | undefined> {
  const key = [of.workspaceId, of.since.toISOString(), of.until.toISOString()].join(' ')
  const report = known.get(key) ?? selectWeeklyReport(db, of)
  known.set(key, report)
  return report
}

/** Members whose Monday 08:00 has come since their last turn. */
async function selectDue(db: Db, now: Date): Promise<Due[]> {
  const times = await timesOfZones(db, (timeZone) => lastWeeklyTime(now, timeZone))
  const { rows } = await sql<Due>`
    select ${memberInTime},
      z.week::text as week, z.at, z.since
    from ${membersInTime}
    left join weekly_turn t on t.workspace_id = m.workspace_id and t.person_id = m.person_id
    join unnest(${times.map(({ zone }) => zone)}::text[], ${times.map(({ week }) => week)}::date[],
      ${times.map(({ at }) => at.toISOString())}::timestamptz[], ${times.map(({ since }) => since.toISOString())}::timestamptz[])
      z(zone, week, at, since) on z.zone = ${zoneOfMember}
    where m.removed_at is null and ${staysHere('w')} and m.created_at < z.at and (t.week is null or t.week < z.week)
    order by m.workspace_id, m.person_id limit ${sql.lit(maxAtOnce)}`.execute(db)
  return rows
}

type Making = {
  due: Due
  now: Date
  reportOf: (of: Omit<WeekOf, 'switchedOff' | 'now'>) => Promise<WeeklyReport | undefined>
}

async function makeReport(tx: Tx, { due, now, reportOf }: Making): Promise<void> {
  const { workspace_id: workspaceId, person_id: personId, week, since, at: until, email, name } = due
  const { rows: moved } = await sql`
    insert into weekly_turn as t (workspace_id, person_id, week) values (${workspaceId}, ${personId}, ${week}::date)
    on conflict (workspace_id, person_id) do update set week = excluded.week where t.week < excluded.week
    returning 1`.execute(tx)
  const { states, roles } = noticeRules['weekly.report']
  const state = effectiveState(due, now)
  if (moved.length === 0 || !states.includes(state) || !roles.includes(due.role)) return
  if (choiceOf('weekly.report', due.choices ?? {}) !== 'weekly') return
  const isMonitored = stateCapabilities[state].monitoring
  const data = await reportOf({ workspaceId, week, since, until, isMonitored })
  if (data === undefined) return
  const fact = { type: 'weekly.report', data } as const
  const people = [{ personId, email, name, isNamed: false }]
  await insertMails(tx, { workspaceId, eventId: newId(now), fact, people }, now)
}
