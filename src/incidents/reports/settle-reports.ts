import type { Regime, ReportStage } from '../../contract/alerts/events.ts'
import type { Tx } from '../../database/connection.ts'
import { reportRow } from '../record/insert-incidents.ts'
import type { Incident } from '../record/lock-incident.ts'
import { waiverOf, type DeterminationFacts } from '../determinations/waiver.ts'
import { wantedReports, type ReportFacts, type WantedReport } from './wanted-reports.ts'

type Changed = Pick<Incident, 'id' | 'workspace_id' | 'kind' | 'cycle' | 'aware_at' | 'measure_available_at'>

/**
 * Recalculates the clocks of an incident after any change of what they depend on: writes the state and deadline of every report of its present cycle. A
 * submitted one keeps the deadline under which it was filed. Call it in the transaction of the change, with the incident as it is now.
 */
export async function settleReports(tx: Tx, incident: Changed, now: Date): Promise<void> {
  const wanted = wantedReports(await selectReportFacts(tx, incident))
  const stored = await tx
    .selectFrom('regime_report')
    .select(['id', 'regime', 'report', 'state', 'due_at', 'lead_hours', 'reason', 'submitted_at'])
    .where('incident_id', '=', incident.id)
    .where('cycle', '=', incident.cycle)
    .execute()
  for (const report of wanted) {
    const known = stored.find((one) => one.regime === report.regime && one.report === report.report)
    if (known === undefined) {
      const place = {
        workspaceId: incident.workspace_id,
        incidentId: incident.id,
        cycle: incident.cycle,
        now,
      }
      await tx.insertInto('regime_report').values(reportRow(report, place)).execute()
    } else if (differs(known, report)) {
      await tx
        .updateTable('regime_report')
        .set({
          state: report.state,
          ...(known.state === 'submitted' ? {} : { due_at: report.dueAt, lead_hours: report.leadHours }),
          reason: report.reason,
          submitted_at: report.submittedAt,
          // no longer overdue: whenever it is again, members are told at once
          ...(report.dueAt !== null && report.dueAt >= now ? { overdue_told_at: null } : {}),
        })
        .where('id', '=', known.id)
        .execute()
    }
  }
}

type Stored = Pick<WantedReport, 'state' | 'reason'> & {
  due_at: Date | null
  lead_hours: number
  submitted_at: Date | null
}

function differs(stored: Stored, report: WantedReport): boolean {
  return (
    stored.state !== report.state ||
    stored.reason !== report.reason ||
    stored.lead_hours !== report.leadHours ||
    stored.due_at?.getTime() !== report.dueAt?.getTime() ||
    stored.submitted_at?.getTime() !== report.submittedAt?.getTime()
  )
}

/** Everything that the reports of the present cycle depend on. */
export async function selectReportFacts(tx: Tx, incident: Changed): Promise<ReportFacts> {
  const { time_zone: timeZone } = await tx
    .selectFrom('workspace')
    .select('time_zone')
    .where('id', '=', incident.workspace_id)
    .executeTakeFirstOrThrow()
  const regimes = await tx
    .selectFrom('incident_regime')
    .select(['regime', 'is_active', 'aware_at', 'classified_at', 'waiver'])
    .where('incident_id', '=', incident.id)
    .orderBy('regime')
    .execute()
  const determinations = await selectDeterminationFacts(tx, incident)
  return {
    kind: incident.kind,
    awareAt: incident.aware_at,
    measureAvailableAt: incident.measure_available_at,
    timeZone,
    regimes: regimes.map(({ regime, is_active, aware_at, classified_at, waiver }) => ({
      regime,
      isActive: is_active,
      awareAt: aware_at,
      classifiedAt: classified_at,
      waiver: regime === 'cra' || regime === 'dora' ? waiverOf(regime, determinations) : waiver,
    })),
    submissions: await selectFiled(tx, incident),
  }
}

async function selectDeterminationFacts(tx: Tx, { id, cycle }: Changed): Promise<DeterminationFacts[]> {
  return tx
    .selectFrom('determination')
    .select(['scope', 'value', 'state', 'recorded_at as recordedAt', 'decided_at as decidedAt'])
    .where('incident_id', '=', id)
    .where('cycle', '=', cycle)
    .execute()
}

/** Amendments correct what was filed and move no clock. */
async function selectFiled(
  tx: Tx,
  { id, cycle }: Changed,
): Promise<{ regime: Regime; report: ReportStage; at: Date }[]> {
  return tx
    .selectFrom('submission as s')
    .innerJoin('regime_report as r', 'r.id', 's.report_id')
    .select(['r.regime', 'r.report', 's.submitted_at as at'])
    .where('s.incident_id', '=', id)
    .where('r.cycle', '=', cycle)
    .where('s.kind', '<>', 'amendment')
    .execute()
}
