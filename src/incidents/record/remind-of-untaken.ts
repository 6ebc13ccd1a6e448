import { sql } from 'kysely'
import type { NoticeData } from '../../contract/notices/shapes.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { uuidList } from '../../platform/postgres/columns.ts'
import { enqueueNotice } from '../../workspace/enqueue-notice.ts'
import { monitored } from '../../workspace/state.ts'

/** After how many minutes without anybody members are reminded. */
const afterMinutes = [30, 60, 120] as const
const incidentsAtOnce = 500
/** Named in one notice; the rest are counted. */
const maxNamed = 5

type Untaken = {
  id: string
  workspace_id: string
  reference: string
  title: string
  since: Date
}

/**
 * Reminds members of open incidents without an assignee: after half an hour, an hour and two hours, in one notice for each workspace and run.
 * After an outage, and after a time in which the workspace was read-only, what was
 * missed is told once. Any number of processes may do it at once. Drills remind nobody.
 */
export async function remindOfUntaken(db: Db, now: Date): Promise<void> {
  let told
  do told = await db.transaction().execute((tx) => remindSome(tx, now))
  while (told === incidentsAtOnce)
}

/** Index incident_untaken. */
async function remindSome(tx: Tx, now: Date): Promise<number> {
  const passed = sql<number>`(case
    when coalesce(i.untaken_since, i.opened_at) <= ${minutesBefore(now, afterMinutes[2])} then 3
    when coalesce(i.untaken_since, i.opened_at) <= ${minutesBefore(now, afterMinutes[1])} then 2
    when coalesce(i.untaken_since, i.opened_at) <= ${minutesBefore(now, afterMinutes[0])} then 1
    else 0 end)`
  const { rows } = await sql<Untaken & { passed: number }>`
    select i.id, i.workspace_id, i.reference, i.title, coalesce(i.untaken_since, i.opened_at) as since,
      ${passed} as passed
    from incident i join workspace w on w.id = i.workspace_id and ${monitored('w', now)}
    where i.status = 'open' and i.assignee is null and not i.is_exercise and i.untaken_told < ${passed}
    order by i.opened_at, i.id
    limit ${incidentsAtOnce}
    for no key update of i skip locked`.execute(tx)
  for (const step of [1, 2, 3]) {
    const ids = rows.filter((row) => row.passed === step).map(({ id }) => id)
    if (ids.length > 0)
      await sql`update incident set untaken_told = ${step} where id = any(${uuidList(ids)})`.execute(tx)
  }
  for (const [workspaceId, incidents] of Map.groupBy(rows, (row) => row.workspace_id)) {
    const data = noticeOf(incidents)
    await enqueueNotice(tx, { to: { workspaceId }, fact: { type: 'incident.untaken', data }, now })
  }
  return rows.length
}

function noticeOf(incidents: readonly Untaken[]): NoticeData['incident.untaken'] {
  const oldest = incidents.toSorted(
    (one, other) =>
      one.since.getTime() - other.since.getTime() ||
      one.reference.localeCompare(other.reference, 'en', { numeric: true }),
  )
  const named = oldest.slice(0, maxNamed)
  return {
    incidents: named.map(({ id, reference, title }) => ({ id, reference, title })),
    more: oldest.length - named.length,
    since: (oldest[0]?.since ?? new Date(0)).toISOString(),
  }
}

function minutesBefore(now: Date, minutes: number): Date {
  return new Date(now.getTime() - minutes * 60_000)
}
