import type { Tx } from '../../database/connection.ts'
import { evidenceJson, evidenceOf } from '../evidence-file/evidence-file.ts'
import { readEvidence } from '../evidence-file/select-evidence.ts'
import { listFiles, type ExportFile } from './export-file.ts'

type Asked = { workspaceId: string; by: string; now: Date }

/** The evidence file of every incident, the receipts that were filed with it, and the drafts of reports. */
export async function* incidentFiles(tx: Tx, asked: Asked): AsyncGenerator<ExportFile> {
  const incidents = await tx
    .selectFrom('incident')
    .select(['id', 'reference'])
    .where('workspace_id', '=', asked.workspaceId)
    .orderBy('opened_at')
    .orderBy('id')
    .execute()
  for (const { id: incidentId, reference } of incidents) {
    const evidence = evidenceOf(await readEvidence(tx, { ...asked, incidentId }))
    yield { name: `incidents/${reference}.json`, bytes: Buffer.from(evidenceJson(evidence)) }
    yield* receiptFiles(tx, { ...asked, incidentId, reference })
  }
  yield* listFiles('report-drafts', draftPages(tx, asked.workspaceId))
}

type Filed = { workspaceId: string; incidentId: string; reference: string }

/** Under the id of the submission: the names are in the evidence, and somebody has typed them. */
async function* receiptFiles(
  tx: Tx,
  { workspaceId, incidentId, reference }: Filed,
): AsyncGenerator<ExportFile> {
  const kept = await tx
    .selectFrom('submission')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('incident_id', '=', incidentId)
    .where('receipt', 'is not', null)
    .orderBy('recorded_at')
    .orderBy('id')
    .execute()
  for (const { id } of kept) {
    const { receipt } = await tx
      .selectFrom('submission')
      .select('receipt')
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    yield { name: `incidents/${reference}/receipts/${id}`, bytes: receipt ?? Buffer.alloc(0) }
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
