import type { VexDocument } from '../../contract/vex/shapes.ts'
import type { Tx } from '../../database/connection.ts'
import type { ContentEncoding } from '../../contract/encodings.ts'
import type { Sender } from '../../products/tokens/lock-sender.ts'
import { vexGeneration } from '../../formats/vex/generation.ts'
import type { DocumentRows } from './document-rows.ts'
import type { Placed } from '../../originals/originals.ts'
import { insertStatements, storableTime } from './insert-statements.ts'
import type { VexUpload } from './upload.ts'

export type RawFile = { placed: Placed; encoding: ContentEncoding }

type NewDocument = {
  id: string
  sender: Sender
  source: VexUpload['source']
  receivedAt: Date
  versionId: string | null
  /** The SBOM whose own document it is. */
  sbomId: string | null
  sha256: Buffer
  /** Of the inflated file. */
  sizeBytes: number
  /** null: the SBOM keeps the file. */
  raw: RawFile | null
  document: VexDocument
  rows: DocumentRows
}

/** Inserts a document in force with everything it says. Its slot must be free. */
export async function insertDocument(tx: Tx, given: NewDocument): Promise<void> {
  const { id, sender, document, raw } = given
  const { workspaceId, familyId } = sender
  const time = storableTime(document.time)
  await tx
    .insertInto('vex_document')
    .values({
      id,
      workspace_id: workspaceId,
      family_id: familyId,
      version_id: given.versionId,
      sbom_id: given.sbomId,
      sha256: given.sha256,
      format: document.format,
      format_label: document.formatLabel,
      document_id: document.documentId ?? null,
      author: document.author ?? null,
      document_time: time === null ? null : new Date(time),
      source: given.source,
      sent_by: sender.name,
      token_id: sender.tokenId,
      statement_count: document.statements.length,
      finding_count: document.findings.length,
      unbound_count: document.unbound,
      hints: JSON.stringify([...document.hints, ...given.rows.hints]),
      reading_generation: vexGeneration,
      size_bytes: given.sizeBytes,
      raw: raw?.placed.bytes ?? null,
      object_id: raw?.placed.objectId ?? null,
      raw_encoding: raw?.encoding ?? null,
      received_at: given.receivedAt,
      replaced_by: null,
      replaced_at: null,
      withdrawn_at: null,
      withdrawn_by: null,
    })
    .execute()
  await insertStatements(tx, { workspaceId, familyId, documentId: id }, given.rows)
}
