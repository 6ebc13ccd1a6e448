import type { Tx } from '../../database/connection.ts'
import { evidenceJson, evidenceOf } from '../evidence-file/evidence-file.ts'
import { readEvidence } from '../evidence-file/select-evidence.ts'
import { selectReceipt } from '../../incidents/submissions/receipts.ts'
import { listFiles, type ExportFile } from './export-file.ts'
import { readOrNote, type Reading } from './read-original.ts'

type Asked = Reading & { workspaceId: string; by: string; now: Date; switchedOff: readonly string[] }

/** The evidence file of every incident, the receipts that were filed with it, and the drafts of reports. */
export async function* incidentFiles(asked: Asked): AsyncGenerator<ExportFile> {
  const { tx, workspaceId, by, now, switchedOff } = asked
  const incidents = await tx
    .selectFrom('incident')
    .select(['id', 'reference'])
    .where('workspace_id', '=', asked.workspaceId)
    .orderBy('opened_at')
    .orderBy('id')
    .execute()
  for (const { id: incidentId, reference } of incidents) {
    const evidence = evidenceOf(await readEvidence(tx, { workspaceId, by, now, switchedOff, incidentId }))
    yield { name: `incidents/${reference}.json`, bytes: Buffer.from(evidenceJson(evidence)) }
    yield* receiptFiles({ ...asked, incidentId, reference })
  }
  yield* listFiles('report-drafts', draftPages(tx, asked.workspaceId))
}

type Filed = Reading & { workspaceId: string; incidentId: string; reference: string }

/** Under the id of the submission: the names are in the evidence, and somebody has typed them. */
async function* receiptFiles(filed: Filed): AsyncGenerator<ExportFile> {
  const { tx, originals, workspaceId, incidentId, reference } = filed
  const kept = await tx
    .selectFrom('submission')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('incident_id', '=', incidentId)
    .where('receipt_name', 'is not', null)
    .orderBy('recorded_at')
    .orderBy('id')
    .execute()
  for (const { id } of kept) {
    const name = `incidents/${reference}/receipts/${id}`
    const place = { workspaceId, incidentId, submissionId: id }
    const file = await readOrNote(filed, name, () => selectReceipt(tx, place, originals))
    if (file !== null) yield { name, bytes: file.bytes }
  }
}

async function* draftPages(tx: Tx, workspaceId: string) {
  yield await tx
    .selectFrom('report_draft as d')
    .innerJoin('regime_report as r', 'r.id', 'd.report_id')
    .innerJoin('incident as i', 'i.id', 'r.incident_id')
    .select(['i.reference as incident', 'r.regime', 'r.report', 'r.cycle', 'd.field_values as values'])
    .select(['d.fields_version as fieldsVersion', 'd.saved_at as savedAt', 'd.saved_by_name as savedBy'])
    .where('d.workspace_id', '=', workspaceId)
    .orderBy('i.opened_at')
    .orderBy('d.report_id')
    .execute()
}
