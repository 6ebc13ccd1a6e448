import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { VexDocument } from '../contract/vex.ts'
import type { Db, Tx } from '../database/connection.ts'
import { sniffEncoding, type ContentEncoding } from '../formats/decompress/encoding.ts'
import { enqueue } from '../platform/jobs/enqueue.ts'
import { retrySerialization } from '../platform/postgres/pool.ts'
import { newId } from '../platform/random.ts'
import { recordAct, type Actor } from '../workspace/audit.ts'
import { lockSender } from '../workspace/tokens/lock-sender.ts'
import { selectOrInsertVersion } from '../workspace/versions.ts'
import { documentRows, type DocumentRows } from './document-rows.ts'
import { insertStatements, storableTime } from './insert-statements.ts'
import { replaceDocuments, selectStanding } from './queries.ts'
import type { StoredVex } from './receipt.ts'
import type { VexUpload } from './upload.ts'

/** An upload that has been read. */
type ReadFile = {
  /** As received, possibly compressed. */
  body: Uint8Array
  sha256: Buffer
  /** Of the inflated file. */
  sizeBytes: number
  document: VexDocument
}

type Prepared = ReadFile & { rows: DocumentRows; raw: Buffer; rawEncoding: ContentEncoding }

const compress = promisify(gzip)

/**
 * Stores a VEX document in the slot of its source and version, whose documents it replaces, in one transaction with the audit event
 * and the order to work out the family's findings anew. The loser of a race between identical files is answered with the
 * winner's record. A version nobody has sent before is made; a retired one stays retired.
 *
 * Token, family and workspace are judged again inside: `unauthorized`, `family_not_found`, `billing_lapsed`.
 */
export async function storeVex(db: Db, upload: VexUpload, file: ReadFile): Promise<StoredVex> {
  const prepared = { ...file, rows: documentRows(file.document), ...(await compressed(file.body)) }
  return retrySerialization(() => db.transaction().execute((tx) => store(tx, upload, prepared)))
}

async function store(tx: Tx, upload: VexUpload, file: Prepared): Promise<StoredVex> {
  const { sender, now } = upload
  const { workspaceId, familyId } = sender
  const { workspaceSlug } = await lockSender(tx, sender, now)
  const { duplicate } = await selectStanding(tx, { ...sender, sha256: file.sha256 })
  if (duplicate !== null) return duplicate

  const id = newId(now)
  const versionId = await selectVersion(tx, upload)
  const slot = { workspaceId, familyId, versionId, source: upload.source }
  const replaced = await replaceDocuments(tx, slot, { by: id, at: now })
  await insertDocument(tx, upload, { ...file, id, versionId })
  await insertStatements(tx, { workspaceId, familyId, documentId: id }, file.rows)
  await recordUpload(tx, upload, { id, replaced, file })
  const payload = { workspaceId, familyId }
  await enqueue(tx, { kind: 'refresh_findings', key: familyId, workspaceId, payload, runAt: now })
  return {
    id,
    workspaceSlug,
    format: file.document.format,
    statements: file.document.statements.length,
    findings: file.document.findings.length,
    unbound: file.document.unbound,
    productVersion: upload.productVersion,
    replaced: replaced.length,
    isDuplicate: false,
  }
}

/** A body that came compressed is kept as it came. */
async function compressed(body: Uint8Array): Promise<Pick<Prepared, 'raw' | 'rawEncoding'>> {
  const rawEncoding = sniffEncoding(body)
  if (rawEncoding === 'identity') return { raw: await compress(body, { level: 3 }), rawEncoding: 'gzip' }
  return { raw: Buffer.from(body.buffer, body.byteOffset, body.byteLength), rawEncoding }
}

async function selectVersion(tx: Tx, upload: VexUpload): Promise<string | null> {
  const { sender, productVersion: name, now } = upload
  if (name === null) return null
  const { workspaceId, familyId } = sender
  const { id } = await selectOrInsertVersion(tx, { workspaceId, familyId, name, now, keepRetired: true })
  return id
}

async function insertDocument(
  tx: Tx,
  { sender, source, now }: VexUpload,
  { id, versionId, document, ...file }: Prepared & { id: string; versionId: string | null },
): Promise<void> {
  const time = storableTime(document.time)
  await tx
    .insertInto('vex_document')
    .values({
      id,
      workspace_id: sender.workspaceId,
      family_id: sender.familyId,
      version_id: versionId,
      sbom_id: null,
      sha256: file.sha256,
      format: document.format,
      format_label: document.formatLabel,
      document_id: document.documentId ?? null,
      author: document.author ?? null,
      document_time: time === null ? null : new Date(time),
      source,
      sent_by: sender.name,
      token_id: sender.tokenId,
      statement_count: document.statements.length,
      finding_count: document.findings.length,
      unbound_count: document.unbound,
      hints: JSON.stringify(document.hints),
      size_bytes: file.sizeBytes,
      raw: file.raw,
      raw_encoding: file.rawEncoding,
      received_at: now,
      replaced_by: null,
      replaced_at: null,
      withdrawn_at: null,
      withdrawn_by: null,
    })
    .execute()
}

type Recorded = { id: string; replaced: string[]; file: Prepared }

async function recordUpload(tx: Tx, upload: VexUpload, { id, replaced, file }: Recorded): Promise<void> {
  const { sender, requestId, address, now } = upload
  const actor: Actor = { kind: 'token', id: sender.tokenId, name: sender.name, requestId, address }
  const { statements, findings } = file.document
  const version = upload.productVersion
  await recordAct(tx, {
    workspaceId: sender.workspaceId,
    actor,
    at: now,
    action: 'vex.uploaded',
    object: { kind: 'vex_document', id, ...(version === null ? {} : { name: version }) },
    before: replaced.length === 0 ? undefined : { documentIds: replaced },
    after: {
      familyId: sender.familyId,
      version,
      sha256: file.sha256.toString('hex'),
      statements: statements.length,
      findings: findings.length,
      source: upload.source,
    },
  })
}
