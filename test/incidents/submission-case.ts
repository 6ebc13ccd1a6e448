import type { Regime, ReportStage } from '../../src/contract/alerts/events.ts'
import type { NewSubmission } from '../../src/incidents/submissions/read-submission.ts'
import { recordSubmission } from '../../src/incidents/submissions/record-submission.ts'
import { after, start, type IncidentScene } from './incident-scene.ts'
import { openExploited } from './opened.ts'

export const reason = 'The portal of the authority was not available.'
export const filed = { kind: 'submission', channel: 'Single Reporting Platform' } as const

/** An incident and the members who act in it. */
export async function createCase(scene: IncidentScene, now = start) {
  const incidentId = await openExploited(scene, { now })
  const editor = await scene.member('editor')
  const act = (at: Date, actor = editor) => ({ workspaceId: scene.workspaceId, incidentId, actor, now: at })
  const report = async (regime: Regime, stage: ReportStage) => {
    const all = await scene.reports(incidentId)
    const found = all.findLast((one) => one.regime === regime && one.report === stage)
    if (found === undefined) throw new Error(`there is no ${regime} ${stage}`)
    return found
  }
  const file = async (
    [regime, stage]: [Regime, ReportStage],
    submittedAt: Date,
    { now: at = submittedAt, ...more }: Partial<NewSubmission> & { now?: Date } = {},
  ) => {
    const { id: reportId } = await report(regime, stage)
    const given = { ...filed, submittedAt: submittedAt.toISOString(), ...more }
    return recordSubmission(scene.db, { ...act(at), reportId }, given)
  }
  const submissions = () =>
    scene.db
      .selectFrom('submission as s')
      .innerJoin('regime_report as r', 'r.id', 's.report_id')
      .selectAll('s')
      .select('r.report')
      .where('s.incident_id', '=', incidentId)
      .orderBy('s.recorded_at')
      .orderBy('s.id')
      .execute()
  return { incidentId, editor, act, report, file, submissions }
}

export type Case = Awaited<ReturnType<typeof createCase>>

/** Closes it without checking what is open. */
export async function close({ db }: IncidentScene, { incidentId }: Case): Promise<void> {
  await db
    .updateTable('incident')
    .set({ status: 'closed', closed_at: after(50), closed_by_name: 'lead', close_reason: reason })
    .where('id', '=', incidentId)
    .execute()
}

export const ew: [Regime, ReportStage] = ['cra', 'early_warning']
export const notification: [Regime, ReportStage] = ['cra', 'notification']
export const final: [Regime, ReportStage] = ['cra', 'final_report']
