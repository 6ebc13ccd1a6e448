import type { VexDocument } from '../contract/vex/shapes.ts'
import type { Tx } from '../database/connection.ts'
import type { Clock } from '../platform/clock.ts'
import type { Originals } from '../originals/originals.ts'
import type { Sender } from '../products/tokens/lock-sender.ts'
import type { UploadDetails } from './upload-details.ts'

/** An upload that has passed the token step. */
export type SbomUpload = {
  sender: Sender
  /** The `Content-Encoding` header as it came. */
  contentEncoding: string | undefined
  details: UploadDetails
  /** Without a version from sender or document it stands for the family's current one; else for the slot without version. */
  takesCurrentVersion?: boolean
  requestId: string
  address: string
}

/** What storing an SBOM needs beside it. */
export type SbomStoring = {
  /** Read at the moment of storing: since the request began, its token may have expired. */
  clock: Clock
  /** Default: the database. */
  originals?: Originals
  storeBeside: StoreBeside
}

/** An SBOM inside the transaction that stores it. */
export type NewSbom = {
  id: string
  versionId: string | null
  receivedAt: Date
  sha256: Buffer
  /** Of the inflated file. */
  sizeBytes: number
  /** What it says about vulnerabilities. */
  reported: VexDocument | null
}

/** What a later room keeps of the same file, in the same transaction. */
export type StoreBeside = (tx: Tx, upload: SbomUpload, sbom: NewSbom) => Promise<void>
