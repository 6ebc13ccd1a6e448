import { sql, type RawBuilder } from 'kysely'
import type { Regime, ReportStage } from '../../contract/alerts/events.ts'
import type { ReportSummary } from '../../contract/incidents/shapes.ts'
import type { NotRequiredReason, ReportState } from '../../contract/incidents/words.ts'
import { reportStatus } from '../clocks/report-clock.ts'

/** A report as it is read, alone or as JSON inside another row. */
export type StoredReport = {
  id: string
  regime: Regime
  report: ReportStage
  cycle: number
  state: ReportState
  dueAt: Date | string | null
  submittedAt: Date | string | null
  leadHours: number
  reason: NotRequiredReason | null
}

/** The columns of a report, as `StoredReport`. */
export function reportColumns(report: string): RawBuilder<unknown> {
  const r = sql.ref(report)
  return sql`${r}.id, ${r}.regime, ${r}.report, ${r}.cycle, ${r}.state, ${r}.due_at as "dueAt", ${r}.submitted_at as "submittedAt",
  ${r}.lead_hours as "leadHours", ${r}.reason`
}

/** A report as people see it at `now`. */
export function toReportSummary(stored: StoredReport, now: Date): ReportSummary {
  const { id, regime, report, cycle, state, leadHours, reason } = stored
  const [dueAt, submittedAt] = [timeOf(stored.dueAt), timeOf(stored.submittedAt)]
  return {
    id,
    regime,
    report,
    cycle,
    status: reportStatus({ state, dueAt, submittedAt, leadHours }, now),
    dueAt: dueAt?.toISOString() ?? null,
    submittedAt: submittedAt?.toISOString() ?? null,
    reason,
  }
}

function timeOf(stored: Date | string | null): Date | null {
  return stored === null ? null : new Date(stored)
}
