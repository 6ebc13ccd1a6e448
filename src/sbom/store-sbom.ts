import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzip, gzipSync } from 'node:zlib'
import type { Db, Tx } from '../database/connection.ts'
import { transact } from '../platform/concurrency/transact.ts'
import { sniffEncoding } from '../formats/decompress/encoding.ts'
import type { SbomDocument } from '../formats/sbom/document.ts'
import type { ReadSbom } from '../formats/sbom/read-sbom.ts'
import { originalsInDatabase, withOriginal, type Originals, type Placed } from '../originals/originals.ts'
import { pipelined } from '../platform/postgres/pipelined.ts'
import { newId } from '../platform/random.ts'
import { recordAct } from '../audit/record-acts.ts'
import { refuseUploadOverCeiling } from '../workspace/ceilings.ts'
import { arrivalAfter } from '../products/families/arrival.ts'
import { lockSender, senderActor } from '../products/tokens/lock-sender.ts'
import { keepVersion, selectNamedVersion, type NamedVersion } from '../products/versions.ts'
import { distinctComponents, identifierOf } from './components/component-rows.ts'
import { numberedColumns } from './components/numbered-columns.ts'
import { matchingJob } from './matching-job.ts'
import { insertActiveSbom, selectCurrentVersion, selectStanding } from './queries.ts'
import type { StoredSbom } from './receipt.ts'
import type { KnownComponents } from './components/component-queries.ts'
import {
  correctCount,
  insertMissing,
  lookUpComponents,
  numberComponents,
} from './components/store-components.ts'
import type { UploadedComponents } from './components/uploaded-components.ts'
import { productVersion } from './upload-details.ts'
import type { SbomStoring, SbomUpload } from './upload.ts'
import { productName } from '../products/families/product-name.ts'

/** An upload that has been read. */
type ReadFile = {
  /** As received, possibly compressed. */
  body: Uint8Array
  sha256: Buffer
  /** Of the inflated file. */
  sizeBytes: number
  document: ReadSbom
}

type Prepared = ReadFile & { components: UploadedComponents; known: KnownComponents; raw: Placed }
/** An upload at the moment of storing. */
type Storing = SbomUpload & { now: Date; familyName: string }

const compress = promisify(gzip)
const level = 3
/** Of zlib's nine: building its tables costs half of compressing a small body, and these give the same size. */
const smallBodyMemory = 5
/** Up to this size, sending a body to another thread and back costs more than compressing it. */
const smallBodyBytes = 128 * 1024

/**
 * Stores an SBOM with its components as the active one of its family and version, in one transaction with the audit event and
 * the job that matches it, and what `storeBeside` adds. The loser of a race between identical files is answered with the winner's record.
 *
 * Token, family and workspace are checked again inside: `unauthorized`, `family_not_found`, `billing_lapsed`.
 */
export async function storeSbom(
  db: Db,
  upload: SbomUpload,
  file: ReadFile,
  storing: SbomStoring,
): Promise<StoredSbom> {
  await correctCount(db, file.document.components.length)
  const [{ components, known }, bytes] = await Promise.all([
    lookUpComponents(db, upload.sender, distinctComponents(file.document)),
    compressed(file.body),
  ])
  const { originals = originalsInDatabase, clock } = storing
  return withOriginal(
    { db, originals, now: clock() },
    { workspaceId: upload.sender.workspaceId, sha256: file.sha256, bytes },
    (raw) => {
      const prepared = { ...file, components, known, raw }
      return transact(db, (tx) => store(tx, { ...storing, upload, file: prepared, originals }))
    },
    ({ isDuplicate }) => !isDuplicate,
  )
}

type Store = SbomStoring & { upload: SbomUpload; file: Prepared; originals: Originals }

async function store(
  tx: Tx,
  { upload: given, file, clock, originals, storeBeside }: Store,
): Promise<StoredSbom> {
  const { sender } = given
  const [locked, { duplicate, lastArrivalAt }, asked] = await pipelined([
    lockSender(tx, sender, clock),
    selectStanding(tx, { ...sender, sha256: file.sha256 }),
    askForVersion(tx, given, file.document),
  ])
  if (duplicate !== null) return duplicate
  const { workspaceId } = sender
  await refuseUploadOverCeiling(tx, { ...locked, workspaceId, sizeBytes: file.sizeBytes, isSbom: true })

  await originals.keep(tx, file.raw)
  const { now, familyName } = locked
  const upload = { ...given, now, familyName }
  const receivedAt = arrivalAfter(lastArrivalAt, now)
  const id = newId(receivedAt)
  const identifyRow = identifierOf(file.document)
  const next = locked.nextComponentNumber
  const { numberOf, missing } = await numberComponents(tx, sender, { ...file, next })
  const version = await storeVersion(tx, upload, asked)
  const { reported } = file.document
  const versionId = version?.id ?? null
  await recordRestored(tx, upload, { id, version })
  await insertMissing(tx, sender, { missing, next, sbomId: id, identifyRow }, () =>
    insertSbom(tx, upload, { ...file, id, version, numberOf, receivedAt }),
  )
  await storeBeside(tx, upload, { ...file, id, versionId, receivedAt, reported })
  return {
    id,
    workspaceSlug: locked.workspaceSlug,
    status: 'parsed',
    components: file.document.components.length,
    productVersion: version?.name ?? null,
    isDuplicate: false,
  }
}

/** A body that came compressed is stored as it came; any other is compressed while the database looks for components. */
async function compressed(body: Uint8Array): Promise<Buffer> {
  if (sniffEncoding(body) === 'gzip') return Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  if (body.length > smallBodyBytes) return compress(body, { level })
  await nextTurn()
  return gzipSync(body, { level, memLevel: smallBodyMemory })
}

type AskedVersion = { name: string; known: NamedVersion | undefined }
type StoredVersion = { id: string; name: string; wasRetired: boolean }

/** Which version the SBOM is of, and what is stored of it; null: of none. */
async function askForVersion(
  tx: Tx,
  { sender, details, takesCurrentVersion }: SbomUpload,
  document: SbomDocument,
): Promise<AskedVersion | null> {
  const given = details.productVersion ?? productVersion(document.productVersion)
  const name = given ?? (takesCurrentVersion ? await selectCurrentVersion(tx, sender) : null)
  return name === null ? null : { name, known: await selectNamedVersion(tx, { ...sender, name }) }
}

async function storeVersion(
  tx: Tx,
  { sender, now }: Storing,
  asked: AskedVersion | null,
): Promise<StoredVersion | null> {
  if (asked === null) return null
  const { workspaceId, familyId } = sender
  const { name, known } = asked
  return { ...(await keepVersion(tx, { workspaceId, familyId, name, now }, known)), name }
}

type SbomRecord = Prepared & {
  id: string
  version: StoredVersion | null
  numberOf: ReadonlyMap<string, number>
  receivedAt: Date
}

/** In place of the one that was active in its slot, with the audit event and the job that matches it. */
async function insertSbom(tx: Tx, upload: Storing, sbom: SbomRecord): Promise<void> {
  const { workspaceId, familyId, tokenId } = upload.sender
  const { id } = sbom
  await insertActiveSbom(tx, {
    row: sbomRow(upload, sbom),
    act: {
      ...actOf(upload),
      action: 'sbom.uploaded',
      object: { kind: 'sbom', id, name: productName(upload.familyName, sbom.version?.name ?? null) },
      after: {
        familyId,
        version: sbom.version?.name ?? null,
        sha256: sbom.sha256.toString('hex'),
        components: sbom.document.components.length,
        source: upload.details.source,
      },
    },
    job: matchingJob({ workspaceId, familyId, sbomId: id, tokenId, now: upload.now }),
  })
}

function sbomRow(
  { sender, details }: SbomUpload,
  sbom: SbomRecord,
): Parameters<typeof insertActiveSbom>[1]['row'] {
  const { document, components, numberOf } = sbom
  return {
    id: sbom.id,
    workspace_id: sender.workspaceId,
    family_id: sender.familyId,
    version_id: sbom.version?.id ?? null,
    sha256: sbom.sha256,
    status: 'parsed',
    replaced_by: null,
    format: document.format,
    spec_version: document.specVersion,
    document_name: document.name,
    document_id: document.documentId,
    document_created_at: document.createdAt,
    tools: document.tools,
    operating_system: document.operatingSystem === null ? null : JSON.stringify(document.operatingSystem),
    main_component: document.main === null ? null : JSON.stringify(document.main),
    hints: JSON.stringify(document.hints),
    vulnerability_entries: document.vulnerabilityCount,
    source: details.source,
    sent_by: sender.name,
    token_id: sender.tokenId,
    commit_id: details.commit,
    branch: details.branch,
    repository: details.repository,
    run_url: details.runUrl,
    size_bytes: sbom.sizeBytes,
    raw: sbom.raw.bytes,
    object_id: sbom.raw.objectId,
    raw_encoding: 'gzip',
    component_count: document.components.length,
    ...numberedColumns(document, components.all(), numberOf),
    received_at: sbom.receivedAt,
    matched_at: null,
    failure: null,
  }
}

/** A version that was retired comes back with a new SBOM. */
async function recordRestored(
  tx: Tx,
  upload: Storing,
  { id, version }: { id: string; version: StoredVersion | null },
): Promise<void> {
  if (version?.wasRetired !== true) return
  const object = { kind: 'version', id: version.id, name: version.name } as const
  await recordAct(tx, { ...actOf(upload), action: 'version.restored', object, after: { sbomId: id } })
}

function actOf({ sender, requestId, address, now }: Storing) {
  return { workspaceId: sender.workspaceId, actor: senderActor(sender, { requestId, address }), at: now }
}
