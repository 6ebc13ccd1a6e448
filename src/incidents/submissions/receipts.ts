import { ServiceError } from '../../contract/errors.ts'
import {
  originalsInDatabase,
  sha256Of,
  withOriginal,
  type Originals,
  type Placed,
} from '../../originals/originals.ts'
import type { Db } from '../../database/connection.ts'
import { onIncident, type IncidentAct } from '../record/lock-incident.ts'
import { noteAct } from '../record/note-act.ts'
import { InputReader } from '../../platform/input-reader.ts'
import { selectSubmission } from './correct-submission.ts'
import { selectReport } from './select-report.ts'

/** Of a file of any kind. */
export const maxReceiptBytes = 10 * 1024 * 1024

const maxNameCharacters = 200

/**
 * Stores the authority's answer with its submission, once; on a closed incident too. Codes: `not_found`, `invalid_request`, `empty`,
 * `conflict` (it has one).
 */
export async function addReceipt(
  db: Db,
  act: IncidentAct & { submissionId: string },
  given: { name: string; bytes: Uint8Array },
  originals: Originals = originalsInDatabase,
): Promise<void> {
  const bytes = Buffer.from(given.bytes)
  // nothing is refused by the transaction itself, later
  const kept = bytes.length === 0 ? originalsInDatabase : originals
  const { workspaceId, now } = act
  const original = { workspaceId, sha256: sha256Of(bytes), bytes }
  await withOriginal({ db, originals: kept, now }, original, (placed) =>
    keepReceipt({ db, originals }, act, { name: given.name, placed }),
  )
}

/** Of the database and of what may be beside it. */
type Stores = { db: Db; originals: Originals }

async function keepReceipt(
  { db, originals }: Stores,
  act: IncidentAct & { submissionId: string },
  given: { name: string; placed: Placed },
): Promise<void> {
  await onIncident(db, act, async (tx, incident) => {
    const { actor, now } = act
    const submission = await selectSubmission(tx, incident, act.submissionId)
    const input = new InputReader()
    const name = input.line('name', given.name, maxNameCharacters)
    input.finish()
    if (given.placed.bytes?.length === 0) throw new ServiceError('empty')
    if (submission.receipt_name !== null) {
      throw new ServiceError('conflict', {
        message: `This submission already has a receipt: ${submission.receipt_name}.`,
      })
    }
    await originals.keep(tx, given.placed)
    await tx
      .updateTable('submission')
      .set({ receipt: given.placed.bytes, object_id: given.placed.objectId, receipt_name: name })
      .where('id', '=', submission.id)
      .execute()
    const { id: reportId, regime, report, cycle } = await selectReport(tx, incident, submission.report_id)
    const what = { submissionId: submission.id, reportId, regime, report, cycle }
    await noteAct(tx, incident, { actor, now, kind: 'receipt_added', data: { ...what, name }, after: what })
  })
}

/** The receipt of a submission. Codes: `not_found`, `not_configured` (it cannot be read now). */
export async function selectReceipt(
  db: Db,
  place: { workspaceId: string; incidentId: string; submissionId: string },
  originals: Originals = originalsInDatabase,
): Promise<{ name: string; bytes: Buffer }> {
  const row = await db
    .selectFrom('submission')
    .select(['receipt', 'object_id', 'receipt_name'])
    .where('workspace_id', '=', place.workspaceId)
    .where('incident_id', '=', place.incidentId)
    .where('id', '=', place.submissionId)
    .executeTakeFirst()
  if (row === undefined || row.receipt_name === null) throw new ServiceError('not_found')
  const { receipt: bytes, object_id: objectId, receipt_name: name } = row
  return { name, bytes: await originals.read(db, { workspaceId: place.workspaceId, bytes, objectId }) }
}
