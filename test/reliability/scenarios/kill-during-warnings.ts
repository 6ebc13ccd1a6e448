import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../../src/database/connection.ts'
import { openManually } from '../../../src/incidents/openings/open-manually.ts'
import { createClock } from '../../../src/platform/clock.ts'
import { sceneKeys, type AlertScene } from '../../alerts/alert-scene.ts'
import type { Receiver } from '../../support/receivers.ts'
import { startWorkProcess } from '../../support/work-process.ts'
import { openReceivers, withAlertLab } from './alert-lab.ts'
import { reportingTime, withClockFrom } from './moved-clock.ts'
import { onceEach, type Outcome } from './outcome.ts'
import { fieldOf } from '../../support/read-as.ts'

type Order = {
  db: Db
  /** Store settings for the processes. */
  storeEnv: Record<string, string>
  kills: number
  /** Reports that become due for a warning at each kill. */
  reports: number
}

type Round = Order & { scene: AlertScene; env: Record<string, string>; now: () => Date }

/** What a kill waits for, alternating: the first warning is stored, is a delivery, is sent. */
const moments = [
  (db: Db, due: readonly string[]) =>
    exists(db, sql`select from regime_report where id = any(${due}::uuid[]) and warned_at is not null`),
  (db: Db, due: readonly string[]) =>
    exists(db, sql`select from alert_delivery where event_id = any(${due}::uuid[])`),
  (db: Db, due: readonly string[]) =>
    exists(db, sql`select from alert_delivery where event_id = any(${due}::uuid[]) and state = 'sent'`),
]

async function exists(db: Db, query: RawBuilder<unknown>): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select exists (${query}) as found`.execute(db)
  return rows[0]?.found === true
}

/**
 * Two processes that check deadlines start at the same moment, when many warnings are due, and one of them is killed once the first
 * warnings are under way. At the end there is one warning for each report.
 */
export function killDuringWarnings(order: Order): Promise<Outcome> {
  return withClockFrom(reportingTime, (clockFile) =>
    withAlertLab(order.db, async (scene, lab) => {
      const receivers = await openReceivers(scene, lab, {
        name: 'warned',
        count: 2,
        events: ['deadline.warning'],
      })
      const env = {
        ...order.storeEnv,
        ...lab.env(),
        ENCRYPTION_KEYS: sceneKeys,
        LAB_CLOCK_OFFSET_FILE: clockFile,
        LOG_LEVEL: 'warn',
      }
      const due: string[] = []
      for (let kill = 0; kill < order.kills; kill += 1) {
        due.push(...(await killOnce(kill, { ...order, scene, env, now: createClock(clockFile) })))
      }
      const compared = await compare(order.db, { receivers, due })
      return { ...compared, figures: { kills: order.kills, ...compared.figures } }
    }),
  )
}

async function killOnce(kill: number, round: Round): Promise<string[]> {
  const { db, env, scene } = round
  const due = await openDue(round)
  const running = [startWorkProcess(env), startWorkProcess(env)]
  const moment = moments[kill % moments.length]
  while (moment !== undefined && !(await moment(db, due))) await sleep(2)
  const victim = Math.floor(kill / moments.length) % 2
  await running[victim]?.kill()
  running[victim] = startWorkProcess(env)
  while (!(await allAreWarned(db, due))) await sleep(50)
  await scene.untilAllSent()
  await Promise.all(running.map(({ stop }) => stop()))
  return due
}

/** Incidents whose first report is due in less than the warning's lead time. Returns the ids of the reports. */
async function openDue({ db, scene, reports, now }: Round): Promise<string[]> {
  const { owner } = scene.acme.members
  const act = { workspaceId: scene.acme.id, actor: { kind: 'person' as const, id: owner.id, name: 'owner' } }
  const awareAt = new Date(now().getTime() - 21 * 3_600_000).toISOString()
  const opened: string[] = []
  for (let count = 0; count < reports; count += 1) {
    const given = { kind: 'severe_incident' as const, title: 'Break-in', families: [], awareAt }
    opened.push((await openManually(db, { ...act, now: now() }, given)).id)
  }
  const rows = await db
    .selectFrom('regime_report')
    .select('id')
    .where('incident_id', 'in', opened)
    .where('report', '=', 'early_warning')
    .execute()
  return rows.map(({ id }) => id)
}

async function allAreWarned(db: Db, due: readonly string[]): Promise<boolean> {
  const { rows } = await sql<{ isDone: boolean }>`
    select not exists (select from regime_report where id = any(${due}::uuid[]) and warned_at is null)
      and not exists (select from job where state <> 'failed') as "isDone"`.execute(db)
  return rows[0]?.isDone === true
}

type Seen = { receivers: readonly Receiver[]; due: readonly string[] }

async function compare(db: Db, { receivers, due }: Seen): Promise<Outcome> {
  const deliveries = await db.selectFrom('alert_delivery').select(['event_id', 'host', 'state']).execute()
  const failed = await db.selectFrom('job').select(['kind', 'last_error']).execute()
  const failures = [
    ...failed.map(({ kind, last_error }) => `job ${kind} is left: ${last_error ?? ''}`),
    ...deliveries.filter(({ state }) => state !== 'sent').map(({ state }) => `a delivery is ${state}`),
    ...(await compareLines(db, due)),
  ]
  let repeats = 0
  for (const { host, requests } of receivers) {
    const stored = deliveries.filter((delivery) => delivery.host === host).map(({ event_id }) => event_id)
    failures.push(...onceEach(`delivery to ${host}`, due, stored))
    const byId = Map.groupBy(requests, ({ headers }) => String(headers['service-event-id']))
    const incidents = new Set(requests.map(({ body }) => incidentOf(body)))
    if (byId.size !== due.length || incidents.size !== due.length)
      failures.push(`${host}: ${byId.size} warnings of ${incidents.size} of ${due.length} incidents`)
    for (const [id, { length }] of byId) if (length > 2) failures.push(`${host}: ${id} came ${length} times`)
    repeats += requests.length - byId.size
  }
  return { figures: { reports: due.length, deliveries: deliveries.length, repeats }, failures }
}

/** Entries of timelines, and of the bell of the one notified member. */
async function compareLines(db: Db, due: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ what: string; id: string }>`
    select 'line' as what, r.id from incident_entry e
      join regime_report r on r.incident_id = e.incident_id and r.report = e.data ->> 'report'
      where e.kind = 'warned'
    union all
    select 'bell', event_id from bell_entry b
      join person p on p.id = b.person_id and p.email like 'owner@%'
      where b.kind = 'deadline.warning'`.execute(db)
  const ids = (of: string) => rows.filter(({ what }) => what === of).map(({ id }) => id)
  return [
    ...onceEach('line of a timeline', due, ids('line')),
    ...onceEach('bell entry of the owner', due, ids('bell')),
  ]
}

function incidentOf(body: string): string {
  return String(fieldOf(JSON.parse(body), 'data', 'incident', 'id'))
}
