import type { Selectable } from 'kysely'
import { ServiceError } from '../../contract/errors.ts'
import { incidentLimits, reasonLength } from '../../contract/incidents/limits.ts'
import type { Db, Tx } from '../../database/connection.ts'
import type { Tables } from '../../database/tables.ts'
import { onIncident, type Incident, type IncidentAct } from '../record/lock-incident.ts'
import { noteAct } from '../record/note-act.ts'
import { InputReader } from '../../platform/input-reader.ts'
import { selectReportFacts, settleReports } from '../reports/settle-reports.ts'
import { earliestFiling } from '../reports/wanted-reports.ts'
import { refuseEarlierCycle, selectReport, type Report } from './select-report.ts'

/** Without the bytes of the receipt. */
export type Submission = Omit<Selectable<Tables['submission']>, 'receipt' | 'object_id' | 'draft'>

type Correction = { submittedAt: string; reason: string; delayReason?: string }

/**
 * Corrects a typing error in the time of a submission; the original time is kept, and clocks that run from it are recalculated. Codes:
 * `not_found`, `invalid_request`, `conflict` (of an earlier cycle).
 */
export async function correctSubmission(
  db: Db,
  act: IncidentAct & { submissionId: string },
  given: Correction,
): Promise<void> {
  await onIncident(db, act, async (tx, incident) => {
    const submission = await selectSubmission(tx, incident, act.submissionId)
    const report = await selectReport(tx, incident, submission.report_id)
    refuseEarlierCycle(report, incident)
    const read = await readCorrection(tx, incident, { given, submission, report, now: act.now })
    await tx
      .updateTable('submission')
      .set({
        submitted_at: read.submittedAt,
        first_submitted_at: submission.first_submitted_at ?? submission.submitted_at,
        delay_reason: read.delayReason,
      })
      .where('id', '=', submission.id)
      .execute()
    await settleReports(tx, incident, act.now)
    await noteCorrection(tx, incident, { act, submission, report, ...read })
  })
}

/** Codes: `not_found`. */
export async function selectSubmission(
  db: Db,
  { id, workspace_id }: Pick<Incident, 'id' | 'workspace_id'>,
  submissionId: string,
): Promise<Submission> {
  const submission = await db
    .selectFrom('submission')
    .select(['id', 'workspace_id', 'incident_id', 'report_id', 'kind', 'submitted_at', 'first_submitted_at'])
    .select(['recorded_at', 'recorded_by', 'recorded_by_name', 'channel', 'authority', 'external_reference'])
    .select(['receipt_name', 'delay_reason', 'before_approval'])
    .where('workspace_id', '=', workspace_id)
    .where('incident_id', '=', id)
    .where('id', '=', submissionId)
    .executeTakeFirst()
  if (submission === undefined) throw new ServiceError('not_found')
  return submission
}

type Filed = { submission: Submission; report: Report }

async function readCorrection(
  tx: Tx,
  incident: Incident,
  { given, submission, report, now }: Filed & { given: Correction; now: Date },
): Promise<{ submittedAt: Date; reason: string; delayReason: string | null }> {
  const input = new InputReader()
  const notBefore = await earliestTime(tx, incident, { submission, report })
  const submittedAt = input.time('submittedAt', given.submittedAt, {
    now,
    ...(notBefore === undefined ? {} : { notBefore }),
  })
  if (submittedAt.getTime() === submission.submitted_at.getTime())
    input.refuse('submittedAt', 'This is the recorded time.')
  const reason = input.text('reason', given.reason, reasonLength)
  const typed = input.text('delayReason', given.delayReason ?? '', {
    min: 0,
    max: incidentLimits.reasonCharacters,
  })
  const delayReason = submission.delay_reason ?? (typed === '' ? null : typed)
  const isLate = submission.kind === 'submission' && report.due_at !== null && submittedAt > report.due_at
  if (isLate && delayReason === null)
    input.refuse('delayReason', 'It was submitted after it was due: give the reasons for the delay.')
  input.finish()
  return { submittedAt, reason, delayReason }
}

/** A first submission cannot precede the start of its clock, nor a later one the first. */
async function earliestTime(tx: Tx, incident: Incident, { submission, report }: Filed) {
  if (submission.kind !== 'submission') {
    return report.submitted_at === null ? undefined : { at: report.submitted_at, what: 'the submission' }
  }
  const facts = await selectReportFacts(tx, incident)
  const others = facts.submissions.filter(
    ({ regime, report: stage }) => regime !== report.regime || stage !== report.report,
  )
  return earliestFiling({ ...facts, submissions: others }, report)
}

type Corrected = Filed & { act: IncidentAct; submittedAt: Date; reason: string }

async function noteCorrection(
  tx: Tx,
  incident: Incident,
  { act, submission, report, submittedAt, reason }: Corrected,
): Promise<void> {
  const { actor, now } = act
  const from = submission.submitted_at.toISOString()
  const what = {
    submissionId: submission.id,
    reportId: report.id,
    regime: report.regime,
    report: report.report,
    cycle: report.cycle,
  }
  const to = submittedAt.toISOString()
  await noteAct(tx, incident, {
    actor,
    now,
    kind: 'submission_corrected',
    data: { ...what, from, to, reason },
    before: { submittedAt: from },
    after: { ...what, submittedAt: to },
  })
}
