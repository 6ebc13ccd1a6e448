import type { Tx } from '../../database/connection.ts'
import { newId } from '../../platform/random.ts'
import type { NewSbom, SbomUpload } from '../../sbom/upload.ts'
import { documentRows } from './document-rows.ts'
import { insertDocument } from './insert-document.ts'

/**
 * Keeps what an SBOM says about vulnerabilities as its own VEX document (docs/public-api.md, "POST /api/v1/vex"): it comes and goes with the
 * SBOM, replaces no document and is replaced by none. An SBOM without any has no such document.
 */
export async function storeReported(tx: Tx, upload: SbomUpload, sbom: NewSbom): Promise<void> {
  const { reported, receivedAt, ...file } = sbom
  if (reported === null) return
  const { sender, details } = upload
  await insertDocument(tx, {
    ...file,
    id: newId(receivedAt),
    sbomId: sbom.id,
    sender,
    source: details.source,
    receivedAt,
    raw: null,
    document: reported,
    rows: documentRows(reported),
  })
}
