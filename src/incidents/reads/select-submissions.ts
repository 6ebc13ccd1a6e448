import type { SubmissionRow } from '../../contract/incidents/shapes.ts'
import type { DraftSnapshot } from '../../contract/incidents/incident-evidence.ts'
import type { Db } from '../../database/connection.ts'
import type { IncidentKey } from './select-decisions.ts'

/** The newest first; no incident has that many. */
const shownRows = 200

/** What was filed, the newest first; neither drafts nor receipts are read. Index submission_incident. */
export async function selectSubmissions(db: Db, incident: IncidentKey): Promise<SubmissionRow[]> {
  const rows = await submissionsOf(db, incident)
    .select((row) => ['s.id', row('s.draft', 'is not', null).as('has_draft')])
    .orderBy('s.submitted_at', 'desc')
    .orderBy('s.recorded_at', 'desc')
    .orderBy('s.id', 'desc')
    .limit(shownRows)
    .execute()
  return rows.map((row) => ({
    ...toFiled(row),
    id: row.id,
    receiptName: row.receipt_name,
    hasDraft: Boolean(row.has_draft),
  }))
}

export type FiledWithDraft = Filed & { receipt: string | null; draft: DraftSnapshot | null }

/** What was filed, the oldest first, with the drafts and without the receipts. Index submission_incident. */
export async function selectFiledDrafts(db: Db, incident: IncidentKey): Promise<FiledWithDraft[]> {
  const rows = await submissionsOf(db, incident)
    .select('s.draft')
    .orderBy('s.recorded_at')
    .orderBy('s.id')
    .execute()
  return rows.map((row) => ({
    ...toFiled(row),
    receipt: row.receipt_name,
    draft: row.draft,
  }))
}

function submissionsOf(db: Db, { workspaceId, incidentId }: IncidentKey) {
  return db
    .selectFrom('submission as s')
    .innerJoin('regime_report as r', 'r.id', 's.report_id')
    .select(['r.regime', 'r.report', 'r.cycle', 's.report_id', 's.kind', 's.submitted_at'])
    .select(['s.first_submitted_at', 's.recorded_at', 's.recorded_by_name', 's.channel', 's.authority'])
    .select(['s.external_reference', 's.delay_reason', 's.receipt_name', 's.before_approval'])
    .where('s.workspace_id', '=', workspaceId)
    .where('s.incident_id', '=', incidentId)
}

type Stored = Awaited<ReturnType<ReturnType<typeof submissionsOf>['execute']>>[number]
type Filed = ReturnType<typeof toFiled>

function toFiled(row: Stored) {
  return {
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
    beforeApproval: row.before_approval,
  }
}
