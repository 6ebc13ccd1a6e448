import { sql } from 'kysely'
import type { WeeklyDeadline, WeeklyFindings, WeeklyReport } from '../../contract/metrics/weekly-report.ts'
import { bySeverity, type Severity } from '../../contract/severities.ts'
import type { Db } from '../../database/connection.ts'
import { dayMs } from '../../contract/durations.ts'
import { countFamilies, sumFigures } from '../../metrics/days/count-families.ts'
import { openSpans, ownFindings } from '../../metrics/days/open-spans.ts'
import { selectDataBehindFamilies } from '../../inventory/coverage/data-behind.ts'
import { sameReport } from '../../incidents/reports/same-report.ts'
import { selectNewlyExploited } from '../daily-facts.ts'

/** Of a report: the workspace, the week, whether its findings are worked out, and which sources the configuration switches off. */
export type WeekOf = {
  workspaceId: string
  week: string
  since: Date
  until: Date
  isMonitored: boolean
  switchedOff: readonly string[]
  now: Date
}

const weekMs = 7 * dayMs
const maxDeadlines = 10

/** What a weekly report says; undefined when monitoring is paused and nothing is due. */
export async function selectWeeklyReport(db: Db, of: WeekOf): Promise<WeeklyReport | undefined> {
  const due = await selectDeadlines(db, of)
  if (!of.isMonitored && due.deadlines.length === 0) return undefined
  return {
    since: of.since.toISOString(),
    until: of.until.toISOString(),
    findings: of.isMonitored ? await selectFindings(db, of) : null,
    incidents: await countIncidents(db, of),
    ...due,
    coverage: of.isMonitored ? await selectCoverage(db, of) : null,
  }
}

type Spans = {
  severity: Severity
  opened: number
  settled: number
  closed: number
  open: number
  before: number
}

/** Indexes finding_subject, finding_turn_family. */
async function selectFindings(db: Db, { workspaceId, since, until }: WeekOf): Promise<WeeklyFindings> {
  const isOpenAt = (at: Date) => sql`s.from_at <= ${at} and (s.until_at is null or s.until_at > ${at})`
  const { rows } = await sql<Spans>`
    with chosen as materialized (
      select id from family where workspace_id = ${workspaceId} and deleted_at is null and archived_at is null
    ),
    ${ownFindings(sql`f.closed_at > ${since}`)},
    ${openSpans(sql`t.family_id in (select id from chosen)`)}
    select o.severity,
      count(*) filter (where s.place = 1 and s.from_at > ${since} and s.from_at <= ${until}) as opened,
      count(*) filter (where s.until_at > ${since} and s.until_at <= ${until} and not s.ends_closed) as settled,
      count(*) filter (where s.until_at > ${since} and s.until_at <= ${until} and s.ends_closed) as closed,
      count(*) filter (where ${isOpenAt(until)}) as open, count(*) filter (where ${isOpenAt(since)}) as before
    from open_span s
    join own o on o.id = s.id
    group by o.severity`.execute(db)
  const sum = (of: (row: Spans) => number) => rows.reduce((total, row) => total + of(row), 0)
  const openOf = (severity: Severity) => rows.find((row) => row.severity === severity)?.open ?? 0
  const { findings: exploited, vulnerabilities } = await selectNewlyExploited(db, workspaceId, {
    since,
    until,
  })
  return {
    opened: sum((row) => row.opened),
    settled: sum((row) => row.settled),
    closed: sum((row) => row.closed),
    open: sum((row) => row.open),
    before: sum((row) => row.before),
    bySeverity: bySeverity(openOf),
    exploited,
    vulnerabilities,
  }
}

async function countIncidents(
  db: Db,
  { workspaceId, since, until }: WeekOf,
): Promise<WeeklyReport['incidents']> {
  const { rows } = await sql<WeeklyReport['incidents']>`
    select count(*) filter (where opened_at > ${since} and opened_at <= ${until}) as opened,
      count(*) filter (where closed_at > ${since} and closed_at <= ${until}) as closed
    from incident where workspace_id = ${workspaceId} and not is_exercise`.execute(db)
  return rows[0] ?? { opened: 0, closed: 0 }
}

type StoredDeadline = Omit<WeeklyDeadline, 'dueAt' | 'incidents'> & {
  dueAt: Date
  incidents: number
  total: number
  overdue: number
}

/** Those of one vulnerability, regime and stage together. Index regime_report_open. */
async function selectDeadlines(
  db: Db,
  { workspaceId, until }: WeekOf,
): Promise<Pick<WeeklyReport, 'deadlines' | 'more' | 'overdue'>> {
  const { rows } = await sql<StoredDeadline>`
    select d.reference, d.regime, d.report, d."dueAt", d.incidents, d.total, d.overdue
    from (
      select i.reference, r.regime, r.report, r.due_at as "dueAt", count(*) over () as total,
        count(*) filter (where r.due_at <= ${until}) over () as overdue,
        count(*) over same as incidents, row_number() over (same order by r.due_at, i.reference) as place
      from regime_report r
      join incident i on i.workspace_id = r.workspace_id and i.id = r.incident_id and not i.is_exercise
      where r.workspace_id = ${workspaceId} and r.state = 'open' and r.due_at <= ${new Date(until.getTime() + weekMs)}
      window same as (${sameReport('i', 'r')})
    ) d
    where d.place = 1
    order by d."dueAt", d.reference, d.regime, d.report
    limit ${sql.lit(maxDeadlines)}`.execute(db)
  const [first] = rows
  const named = rows.reduce((sum, { incidents }) => sum + incidents, 0)
  return {
    deadlines: rows.map(({ reference, regime, report, dueAt, incidents }) => {
      return { reference, regime, report, dueAt: dueAt.toISOString(), incidents }
    }),
    more: (first?.total ?? 0) - named,
    overdue: first?.overdue ?? 0,
  }
}

/** Now, and as it was counted on the Monday before. Index family_day_workspace. */
async function selectCoverage(db: Db, of: WeekOf): Promise<WeeklyReport['coverage']> {
  const { workspaceId, week } = of
  const families = await countFamilies(db, workspaceId)
  const { covered, components } = sumFigures(families)
  const familyIds = families.map(({ familyId }) => familyId)
  const data = await selectDataBehindFamilies(db, { workspaceId, familyIds }, of)
  const { rows } = await sql<{ covered: number | null; components: number | null }>`
    select sum(c.covered)::bigint as covered, sum(c.components)::bigint as components
    from family_day c
    join family y on y.id = c.family_id and y.archived_at is null and y.deleted_at is null
    where c.workspace_id = ${workspaceId} and c.day = ${week}::date - 7`.execute(db)
  const [before] = rows
  if (before === undefined || before.covered === null || before.components === null)
    return { covered, components, before: null, data }
  return { covered, components, before: { covered: before.covered, components: before.components }, data }
}
