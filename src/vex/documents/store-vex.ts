import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { VexDocument } from '../../contract/vex/shapes.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import { sniffEncoding } from '../../formats/decompress/encoding.ts'
import type { Clock } from '../../platform/clock.ts'
import { enqueueRefresh } from '../../workspace/monitoring/enqueue-refresh.ts'
import { originalsInDatabase, withOriginal, type Originals } from '../../originals/originals.ts'
import { newId } from '../../platform/random.ts'
import { recordAct } from '../../audit/record-acts.ts'
import { refuseUploadOverCeiling } from '../../workspace/ceilings.ts'
import { arrivalAfter } from '../../products/families/arrival.ts'
import { lockSender, senderActor } from '../../products/tokens/lock-sender.ts'
import { selectOrInsertVersion } from '../../products/versions.ts'
import { readLinks } from '../binding/bind-links.ts'
import { documentRows, type DocumentRows } from './document-rows.ts'
import { insertDocument, type RawFile } from './insert-document.ts'
import { replaceDocuments, selectStanding } from './queries.ts'
import type { StoredVex } from './receipt.ts'
import type { VexUpload } from './upload.ts'
import { productName } from '../../products/families/product-name.ts'

/** An upload that has been read. */
type ReadFile = {
  /** As received, possibly compressed. */
  body: Uint8Array
  sha256: Buffer
  /** Of the inflated file. */
  sizeBytes: number
  document: VexDocument
  /** Bounds the inflated SBOMs that BOM-Links lead to. */
  maxFileBytes: number
}

type Prepared = Omit<ReadFile, 'body'> & { rows: DocumentRows; raw: RawFile }
/** An upload at the moment of storing. */
type Storing = VexUpload & { now: Date; familyName: string }

const compress = promisify(gzip)

/**
 * Stores a VEX document in the slot of its source and version, whose documents it replaces, in one transaction with the audit event
 * and the job that works out the family's findings again. The loser of a race between identical files is answered with the
 * winner's record. A version that is new is created; a retired one stays retired.
 *
 * Token, family and workspace are judged again inside: `unauthorized`, `family_not_found`, `billing_lapsed`.
 */
export async function storeVex(
  db: Db,
  upload: VexUpload,
  file: ReadFile,
  { clock, originals = originalsInDatabase }: VexStoring,
): Promise<StoredVex> {
  const { body, ...read } = file
  const { bytes, encoding } = await compressed(body)
  return withOriginal(
    { db, originals, now: clock() },
    { workspaceId: upload.sender.workspaceId, sha256: file.sha256, bytes },
    (placed) => {
      const prepared = { ...read, rows: documentRows(file.document), raw: { placed, encoding } }
      return transact(db, (tx) => store(tx, upload, prepared, { clock, originals }))
    },
    ({ isDuplicate }) => !isDuplicate,
  )
}

type VexStoring = { clock: Clock; originals?: Originals }

async function store(
  tx: Tx,
  given: VexUpload,
  file: Prepared,
  { clock, originals }: Required<VexStoring>,
): Promise<StoredVex> {
  const { sender } = given
  const { workspaceId, familyId } = sender
  const { workspaceSlug, familyName, now, max } = await lockSender(tx, sender, clock)
  const { duplicate, lastArrivalAt } = await selectStanding(tx, { ...sender, sha256: file.sha256 })
  if (duplicate !== null) return duplicate
  await refuseUploadOverCeiling(tx, { workspaceId, sizeBytes: file.sizeBytes, isSbom: false, max })

  await originals.keep(tx, file.raw.placed)
  const upload = { ...given, now, familyName }
  const receivedAt = arrivalAfter(lastArrivalAt, now)
  const id = newId(receivedAt)
  const versionId = await selectVersion(tx, upload)
  const slot = { workspaceId, familyId, versionId, source: upload.source }
  const replaced = await replaceDocuments(tx, slot, { by: id, at: now })
  await insertDocument(tx, { ...upload, ...file, id, versionId, sbomId: null, receivedAt })
  const unbound = await followLinks(tx, upload, { ...file, id })
  await recordUpload(tx, upload, { id, replaced, file })
  await enqueueRefresh(tx, sender, now)
  return {
    id,
    workspaceSlug,
    format: file.document.format,
    statements: file.document.statements.length,
    findings: file.document.findings.length,
    unbound,
    productVersion: upload.productVersion,
    replaced: replaced.length,
    isDuplicate: false,
  }
}

/** More of them are followed when the findings are worked out. */
const sbomsFollowed = 20

/** Returns how many statements are unbound once the BOM-Links into stored SBOMs have been followed. */
async function followLinks(
  tx: Tx,
  { sender: { workspaceId, familyId } }: VexUpload,
  { id, rows, document, maxFileBytes }: Prepared & { id: string },
): Promise<number> {
  if (!rows.targets.some(({ kind }) => kind === 'bom_link')) return document.unbound
  await readLinks(tx, { workspaceId, familyId }, { maxFileBytes, maxSboms: sbomsFollowed })
  const stored = await tx
    .selectFrom('vex_document')
    .select('unbound_count')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return stored.unbound_count
}

/** A body that came compressed is kept as it came. */
async function compressed(body: Uint8Array): Promise<{ bytes: Buffer; encoding: RawFile['encoding'] }> {
  const encoding = sniffEncoding(body)
  if (encoding === 'identity') return { bytes: await compress(body, { level: 3 }), encoding: 'gzip' }
  return { bytes: Buffer.from(body.buffer, body.byteOffset, body.byteLength), encoding }
}

async function selectVersion(tx: Tx, upload: Storing): Promise<string | null> {
  const { sender, productVersion: name, now } = upload
  if (name === null) return null
  const { workspaceId, familyId } = sender
  const { id } = await selectOrInsertVersion(tx, { workspaceId, familyId, name, now, keepRetired: true })
  return id
}

type Recorded = { id: string; replaced: string[]; file: Prepared }

async function recordUpload(tx: Tx, upload: Storing, { id, replaced, file }: Recorded): Promise<void> {
  const { sender, requestId, address, now } = upload
  const actor = senderActor(sender, { requestId, address })
  const { statements, findings } = file.document
  const version = upload.productVersion
  await recordAct(tx, {
    workspaceId: sender.workspaceId,
    actor,
    at: now,
    action: 'vex.uploaded',
    object: { kind: 'vex_document', id, name: productName(upload.familyName, version) },
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
