import type { Insertable } from 'kysely'
import { ServiceError } from '../../contract/errors.ts'
import { shownSecond } from '../../contract/shown-time.ts'
import type { SubmissionKind } from '../../contract/incidents/words.ts'
import type { Db, Tx } from '../../database/connection.ts'
import type { Tables } from '../../database/tables.ts'
import { newId } from '../../platform/random.ts'
import { onIncident, refuseClosed, type Incident, type IncidentAct } from '../record/lock-incident.ts'
import { noteAct } from '../record/note-act.ts'
import { selectReportFacts, settleReports } from '../reports/settle-reports.ts'
import { selectSnapshots, type KeptDraft } from './draft-of-submission.ts'
import { readSubmission, type Filing, type NewSubmission } from './read-submission.ts'
import { selectRecorded } from './select-recorded.ts'
import { refuseEarlierCycle, selectReports, type Report } from './select-report.ts'

/**
 * Records what was filed at the authority, as a fact: it needs no approval, and stages are filed in any order. A filing that covers several
 * reports has a row for each. Sent again, it is recorded once. Codes: `not_found`, `invalid_request`, `conflict` (closed; of an earlier
 * cycle; already submitted; an amendment of what was never submitted).
 */
export async function recordSubmission(
  db: Db,
  act: IncidentAct & { reportId: string },
  given: NewSubmission,
): Promise<string> {
  return onIncident(db, act, (tx, incident) => record(tx, incident, act, given))
}

async function record(
  tx: Tx,
  incident: Incident,
  act: IncidentAct & { reportId: string },
  given: NewSubmission,
): Promise<string> {
  const reports = await selectReports(tx, incident)
  const report = reports.find(({ id }) => id === act.reportId)
  if (report === undefined) throw new ServiceError('not_found')
  if (given.kind !== 'amendment') {
    refuseClosed(incident)
    refuseEarlierCycle(report, incident)
  }
  await refuseWrongKind(tx, report, given.kind)
  const facts = await selectReportFacts(tx, incident)
  const covered = reports.filter(({ id }) => given.alsoCovers?.includes(id) === true)
  const drafts = await selectSnapshots(tx, incident, { filed: [report, ...covered], texts: given.texts })
  const filing = readSubmission({ given, report, reports, facts, drafts, now: act.now })
  const recorded = await selectRecorded(tx, incident, { filing, actorId: act.actor.id, drafts })
  if (recorded !== undefined) return recorded
  const rows = await insertFiling(tx, incident, { act, filing, drafts })
  await settleReports(tx, incident, act.now)
  await noteFiling(tx, incident, { act, filing, rows })
  return rows[0]?.id ?? ''
}

async function refuseWrongKind(tx: Tx, { id, state }: Report, kind: SubmissionKind): Promise<void> {
  if (kind === 'submission' && state === 'submitted') {
    const { by, at } = await tx
      .selectFrom('submission')
      .select(['recorded_by_name as by', 'recorded_at as at'])
      .where('report_id', '=', id)
      .orderBy('recorded_at')
      .orderBy('id')
      .limit(1)
      .executeTakeFirstOrThrow()
    throw new ServiceError('conflict', {
      message: `${by} recorded this submission at ${shownSecond(at)}. A correction of what was filed is an amendment.`,
    })
  }
  if (kind !== 'submission' && state !== 'submitted') {
    throw new ServiceError('conflict', {
      message: `An ${kind} follows a submission, and none is recorded for this report.`,
    })
  }
}

type Row = Insertable<Tables['submission']> & { report: Report }

async function insertFiling(
  tx: Tx,
  incident: Incident,
  { act, filing, drafts }: { act: IncidentAct; filing: Filing; drafts: ReadonlyMap<string, KeptDraft> },
): Promise<Row[]> {
  const { actor, now } = act
  const pending = await selectPendingScopes(tx, incident)
  const rows = filing.reports.map((report) => ({
    report,
    id: newId(now),
    workspace_id: incident.workspace_id,
    incident_id: incident.id,
    report_id: report.id,
    kind: filing.kind,
    submitted_at: filing.submittedAt,
    first_submitted_at: null,
    recorded_at: now,
    recorded_by: actor.id,
    recorded_by_name: actor.name,
    channel: filing.channel,
    authority: filing.authority,
    external_reference: filing.reference,
    draft: jsonOrNull(drafts.get(report.id)?.snapshot),
    receipt: null,
    receipt_name: null,
    delay_reason: filing.delayReason,
    before_approval: pending.has(report.regime),
  }))
  await tx
    .insertInto('submission')
    .values(rows.map(({ report: _report, ...row }) => row))
    .execute()
  return rows
}

function jsonOrNull(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value)
}

/** The scopes in which a determination is pending; they have the names of their regimes. */
async function selectPendingScopes(tx: Tx, { id }: Incident): Promise<ReadonlySet<string>> {
  const pending = await tx
    .selectFrom('determination')
    .select('scope')
    .where('incident_id', '=', id)
    .where('state', '=', 'pending')
    .execute()
  return new Set(pending.map(({ scope }) => scope))
}

async function noteFiling(
  tx: Tx,
  incident: Incident,
  { act, filing, rows }: { act: IncidentAct; filing: Filing; rows: readonly Row[] },
): Promise<void> {
  const { actor, now } = act
  for (const { id, report, before_approval: beforeApproval } of rows) {
    const what = {
      submissionId: id,
      reportId: report.id,
      regime: report.regime,
      report: report.report,
      cycle: report.cycle,
      kind: filing.kind,
      submittedAt: filing.submittedAt.toISOString(),
      isLate: filing.kind === 'submission' && report.due_at !== null && filing.submittedAt > report.due_at,
      beforeApproval,
    }
    const { channel, authority, reference } = filing
    const data = { ...what, channel, authority, reference }
    const action = 'incident.report_submitted'
    await noteAct(tx, incident, { actor, now, kind: 'submitted', data, action, after: what })
  }
}
