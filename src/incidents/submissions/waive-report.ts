import { ServiceError } from '../../contract/errors.ts'
import { reasonLength } from '../../contract/incidents/limits.ts'
import type { Db } from '../../database/connection.ts'
import { onIncident, refuseClosed, type IncidentAct } from '../record/lock-incident.ts'
import { noteAct } from '../record/note-act.ts'
import { InputReader } from '../../platform/input-reader.ts'
import { settleReports } from '../reports/settle-reports.ts'
import { refuseEarlierCycle, selectReport } from './select-report.ts'

/**
 * A breach of personal data that is unlikely to be a risk to people is not notified (GDPR Art. 33(1)); the reason is kept (Art. 33(5)).
 * Codes: `not_found`, `invalid_request`, `conflict` (closed; of another regime; submitted; not required already).
 */
export async function waiveReport(
  db: Db,
  act: IncidentAct & { reportId: string },
  given: { reason: string },
): Promise<void> {
  await onIncident(db, act, async (tx, incident) => {
    const { actor, now } = act
    const report = await selectReport(tx, incident, act.reportId)
    refuseClosed(incident)
    refuseEarlierCycle(report, incident)
    const input = new InputReader()
    const reason = input.text('reason', given.reason, reasonLength)
    input.finish()
    if (report.regime !== 'gdpr') {
      throw new ServiceError('conflict', {
        message: 'Only the notification under the GDPR can be recorded as not required.',
      })
    }
    if (report.state === 'submitted' || report.state === 'not_required') {
      const state = report.state === 'submitted' ? 'submitted' : 'not required'
      throw new ServiceError('conflict', { message: `This report is already ${state}.` })
    }
    await tx
      .updateTable('incident_regime')
      .set({ waiver: 'no_risk', reason, changed_at: now, changed_by_name: actor.name })
      .where('incident_id', '=', incident.id)
      .where('regime', '=', report.regime)
      .execute()
    await settleReports(tx, incident, now)
    const what = { reportId: report.id, regime: report.regime, report: report.report, cycle: report.cycle }
    await noteAct(tx, incident, { actor, now, kind: 'report_waived', data: { ...what, reason }, after: what })
  })
}
