import type { AwarenessRow, DeterminationRow, IncidentTask, SubmissionRow } from '../../contract/incidents.ts'
import type { Db } from '../../database/connection.ts'

export type IncidentPlace = { workspaceId: string; incidentId: string }

/** The newest first; no incident has that many. */
const shownRows = 200

export async function selectDeterminations(
  db: Db,
  { workspaceId, incidentId }: IncidentPlace,
): Promise<DeterminationRow[]> {
  const rows = await db
    .selectFrom('determination')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('incident_id', '=', incidentId)
    .orderBy('recorded_at', 'desc')
    .orderBy('id', 'desc')
    .limit(shownRows)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    scope: row.scope,
    value: row.value,
    state: row.state,
    cycle: row.cycle,
    reasoning: row.reasoning,
    evidence: row.evidence,
    approvers: row.approvers,
    ...decisionOf(row),
  }))
}

export async function selectAwareness(
  db: Db,
  { workspaceId, incidentId }: IncidentPlace,
): Promise<AwarenessRow[]> {
  const rows = await db
    .selectFrom('awareness_change')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('incident_id', '=', incidentId)
    .orderBy('recorded_at', 'desc')
    .orderBy('id', 'desc')
    .limit(shownRows)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    from: row.from_at.toISOString(),
    to: row.to_at.toISOString(),
    reason: row.reason,
    state: row.state,
    ...decisionOf(row),
  }))
}

type Decided = {
  recorded_by: string
  recorded_by_name: string
  recorded_at: Date
  decided_by_name: string | null
  decided_at: Date | null
  comment: string | null
  self_approved: boolean
}

function decisionOf(row: Decided) {
  return {
    recordedBy: { id: row.recorded_by, name: row.recorded_by_name },
    recordedAt: row.recorded_at.toISOString(),
    decidedBy: row.decided_by_name,
    decidedAt: row.decided_at?.toISOString() ?? null,
    comment: row.comment,
    selfApproved: row.self_approved,
  }
}

/** What was filed, the newest first; neither drafts nor receipts are read. Index submission_incident. */
export async function selectSubmissions(
  db: Db,
  { workspaceId, incidentId }: IncidentPlace,
): Promise<SubmissionRow[]> {
  const rows = await db
    .selectFrom('submission as s')
    .innerJoin('regime_report as r', 'r.id', 's.report_id')
    .select((row) => [
      ...submissionColumns,
      row('s.draft', 'is not', null).as('has_draft'),
      'r.regime',
      'r.report',
      'r.cycle',
    ])
    .where('s.workspace_id', '=', workspaceId)
    .where('s.incident_id', '=', incidentId)
    .orderBy('s.submitted_at', 'desc')
    .orderBy('s.recorded_at', 'desc')
    .orderBy('s.id', 'desc')
    .limit(shownRows)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    reportId: row.report_id,
    regime: row.regime,
    report: row.report,
    cycle: row.cycle,
    kind: row.kind,
    submittedAt: row.submitted_at.toISOString(),
    firstSubmittedAt: row.first_submitted_at?.toISOString() ?? null,
    recordedAt: row.recorded_at.toISOString(),
    recordedBy: row.recorded_by_name,
    channel: row.channel,
    authority: row.authority,
    reference: row.external_reference,
    delayReason: row.delay_reason,
    receiptName: row.receipt_name,
    hasDraft: Boolean(row.has_draft),
    beforeApproval: row.before_approval,
  }))
}

const submissionColumns = [
  's.id',
  's.report_id',
  's.kind',
  's.submitted_at',
  's.first_submitted_at',
  's.recorded_at',
  's.recorded_by_name',
  's.channel',
  's.authority',
  's.external_reference',
  's.delay_reason',
  's.receipt_name',
  's.before_approval',
] as const

/** Those to be done first, by when they are due. Index incident_task_of. */
export async function selectTasks(
  db: Db,
  { workspaceId, incidentId }: IncidentPlace,
): Promise<IncidentTask[]> {
  const rows = await db
    .selectFrom('incident_task')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('incident_id', '=', incidentId)
    .orderBy('done_at', (order) => order.desc().nullsFirst())
    .orderBy('due_at', (order) => order.asc().nullsLast())
    .orderBy('created_at')
    .orderBy('id')
    .limit(shownRows)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    title: row.title,
    dueAt: row.due_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    createdBy: row.created_by_name,
    doneAt: row.done_at?.toISOString() ?? null,
    doneBy: row.done_by_name,
  }))
}
