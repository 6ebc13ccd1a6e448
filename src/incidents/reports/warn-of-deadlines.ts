import { sql } from 'kysely'
import type { AlertFact, Regime, ReportStage } from '../../contract/alerts/events.ts'
import type { IncidentReference } from '../../contract/incidents/reference.ts'
import type { NoticeJob } from '../../contract/notices/shapes.ts'
import { stateCapabilities } from '../../contract/workspace/plans.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { uuidList } from '../../platform/postgres/columns.ts'
import { enqueueAll } from '../../queue/enqueue.ts'
import { newId } from '../../platform/random.ts'
import { hourMs } from '../../contract/durations.ts'
import { effectiveState, planAndDates, staysHere, type PlanAndDates } from '../../workspace/state.ts'
import { nameOf } from '../record/tell.ts'
import { addEntries, system } from '../record/timeline.ts'

/** The earliest warning before any deadline. */
const maxLeadHours = 72
const reportsAtOnce = 500
const repeatHours = 24

type DueReport = PlanAndDates & {
  id: string
  workspace_id: string
  regime: Regime
  report: ReportStage
  due_at: Date
  warned_at: Date | null
  mailed_at: Date | null
  overdue_told_at: Date | null
  incident_id: string
  reference: IncidentReference
  title: string
  assignee: string | null
}

/**
 * Warns of every open report whose warning time has come and whose deadline has not passed: destinations once, members once. While a workspace is read-only
 * only members are warned; destinations follow if that ends in time. Any number of processes may do it at once. Drills warn nobody.
 */
export async function warnOfDeadlines(db: Db, now: Date): Promise<void> {
  await inBatches((after) => db.transaction().execute((tx) => warnSome(tx, after, now)))
}

/** Tells members of every open report that is overdue, when it becomes so and every 24 hours after that. */
export async function tellOfOverdue(db: Db, now: Date): Promise<void> {
  await inBatches((after) => db.transaction().execute((tx) => tellSome(tx, after, now)))
}

type Position = { dueAt: Date; id: string }

/** One transaction for each batch: a process that dies loses no warning, and repeats none that was stored. */
async function inBatches(some: (after: Position | null) => Promise<Position | null>): Promise<void> {
  let after: Position | null = null
  do after = await some(after)
  while (after !== null)
}

/** Index regime_report_unwarned. Returns where the next batch begins; null after the last one. */
async function warnSome(tx: Tx, after: Position | null, now: Date): Promise<Position | null> {
  const due = await selectDue(tx, after, {
    condition: sql`r.due_at > ${now} and r.due_at <= ${hoursFrom(now, maxLeadHours)}
      and r.due_at - make_interval(hours => r.lead_hours) <= ${now} and (r.warned_at is null or r.mailed_at is null)`,
  })
  const isPosted = (report: DueReport) => stateCapabilities[effectiveState(report, now)].monitoring
  const posted = due.filter((report) => report.warned_at === null && isPosted(report))
  const mailed = due.filter((report) => report.mailed_at === null && !isPosted(report))
  await mark(tx, posted, sql`warned_at = ${now}, mailed_at = coalesce(mailed_at, ${now})`)
  await mark(tx, mailed, sql`mailed_at = ${now}`)
  await enqueueAll(
    tx,
    posted.map((report) => ({
      kind: 'emit_event' as const,
      workspaceId: report.workspace_id,
      runAt: now,
      payload: {
        workspaceId: report.workspace_id,
        eventId: report.id,
        fact: warning(report),
        named: named(report),
      },
    })),
  )
  await tellMembers(tx, mailed, { now, tell: (report) => ({ eventId: report.id, fact: warning(report) }) })
  const first = [...posted.filter(({ mailed_at }) => mailed_at === null), ...mailed]
  await addEntries(
    tx,
    first.map((report) => ({ ...entryOf(report, now), kind: 'warned' as const })),
  )
  return positionAfter(due)
}

/** Index regime_report_overdue. */
async function tellSome(tx: Tx, after: Position | null, now: Date): Promise<Position | null> {
  const due = await selectDue(tx, after, {
    condition: sql`r.due_at < ${now} and (r.overdue_told_at is null or r.overdue_told_at <= ${hoursFrom(now, -repeatHours)})`,
  })
  await mark(tx, due, sql`overdue_told_at = ${now}`)
  const overdue = (report: DueReport) => ({ type: 'deadline.overdue' as const, data: warning(report).data })
  await tellMembers(tx, due, { now, tell: (report) => ({ eventId: newId(now), fact: overdue(report) }) })
  await addEntries(
    tx,
    due
      .filter(({ overdue_told_at }) => overdue_told_at === null)
      .map((report) => ({ ...entryOf(report, now), kind: 'overdue' as const })),
  )
  return positionAfter(due)
}

type Telling = { now: Date; tell: (report: DueReport) => Pick<NoticeJob, 'eventId' | 'fact'> }

async function tellMembers(tx: Tx, reports: readonly DueReport[], { now, tell }: Telling): Promise<void> {
  await enqueueAll(
    tx,
    reports.map((report) => ({
      kind: 'send_mail' as const,
      workspaceId: report.workspace_id,
      runAt: now,
      payload: { to: { workspaceId: report.workspace_id }, ...tell(report), named: named(report) },
    })),
  )
}

/** Open reports of open incidents, drills excluded, in the order of their deadlines; other processes skip them meanwhile. */
async function selectDue(
  tx: Tx,
  after: Position | null,
  { condition }: { condition: ReturnType<typeof sql> },
): Promise<DueReport[]> {
  const { rows } = await sql<DueReport>`
    select r.id, r.workspace_id, r.regime, r.report, r.due_at, r.warned_at, r.mailed_at, r.overdue_told_at,
      i.id as incident_id, i.reference, i.title, i.assignee, ${planAndDates('w')}
    from regime_report r
    join incident i on i.id = r.incident_id and i.status = 'open' and not i.is_exercise
    join workspace w on w.id = r.workspace_id and w.closed_at is null and ${staysHere('w')}
    where r.state = 'open' and ${condition}
      and ${after === null ? sql`true` : sql`(r.due_at, r.id) > (${after.dueAt}, ${after.id}::uuid)`}
    order by r.due_at, r.id
    limit ${reportsAtOnce}
    for no key update of r skip locked`.execute(tx)
  return rows
}

function positionAfter(due: readonly DueReport[]): Position | null {
  const last = due.at(-1)
  return last === undefined || due.length < reportsAtOnce ? null : { dueAt: last.due_at, id: last.id }
}

async function mark(tx: Tx, reports: readonly DueReport[], set: ReturnType<typeof sql>): Promise<void> {
  if (reports.length === 0) return
  await sql`update regime_report set ${set} where id = any(${uuidList(reports.map(({ id }) => id))})`.execute(
    tx,
  )
}

function warning(report: DueReport): Extract<AlertFact, { type: 'deadline.warning' }> {
  const incident = nameOf({ ...report, id: report.incident_id })
  const { regime, report: stage, due_at } = report
  return { type: 'deadline.warning', data: { incident, regime, report: stage, dueAt: due_at.toISOString() } }
}

function named({ assignee }: DueReport): string[] {
  return assignee === null ? [] : [assignee]
}

function entryOf({ workspace_id, incident_id, regime, report, due_at }: DueReport, now: Date) {
  const data = { regime, report, dueAt: due_at.toISOString() }
  return { workspaceId: workspace_id, incidentId: incident_id, at: now, actor: system, data }
}

function hoursFrom(now: Date, hours: number): Date {
  return new Date(now.getTime() + hours * hourMs)
}
