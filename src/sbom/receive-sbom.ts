import { hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '../database/connection.ts'
import { decompress, releaseInflated } from '../formats/decompress/decompress.ts'
import { readSbom, type ReadSbom } from '../formats/sbom/read-sbom.ts'
import { checkSender } from '../products/tokens/lock-sender.ts'
import { effectiveState, refuseWhenReadOnly } from '../workspace/state.ts'
import { selectStanding } from './queries.ts'
import type { StoredSbom } from './receipt.ts'
import { storeSbom } from './store-sbom.ts'
import type { SbomStoring, SbomUpload } from './upload.ts'

/** Up to this size, a file is read while the database checks for a duplicate: both take about as long. */
const smallFileBytes = 128 * 1024

/**
 * Receives one SBOM: `POST /api/v1/sboms` from the third check of its order on (token and rate limit come before it, with the
 * size as sent). Returns when everything is committed.
 *
 * `maxFileBytes` bounds the inflated file; over it `too_large`. Codes in their order: `bad_encoding`, `empty`, `too_large`;
 * `billing_lapsed`; then those of the document (`readSbom`); `unauthorized`, `family_not_found` and `billing_lapsed` once
 * more from inside the storing transaction, or before a duplicate is told.
 */
export async function receiveSbom(
  db: Db,
  upload: SbomUpload,
  body: Uint8Array,
  { maxFileBytes, ...storing }: SbomStoring & { maxFileBytes: number },
): Promise<StoredSbom> {
  const file = decompress(body, upload.contentEncoding, 'gzip', maxFileBytes)
  const sha256 = hash('sha256', file, 'buffer')
  const { workspaceId, familyId } = upload.sender
  const asked = selectStanding(db, { workspaceId, familyId, sha256 })
  const reading = file.length > smallFileBytes ? undefined : readMeanwhile(file)
  const standing = await asked
  refuseWhenReadOnly(effectiveState(standing.workspace, storing.clock()))
  if (standing.duplicate !== null) {
    await checkSender(db, upload.sender, storing.clock)
    return standing.duplicate
  }
  const sizeBytes = file.length
  const document = await (reading ?? readSbom(file))
  if (sizeBytes > smallFileBytes) releaseInflated(file, body)
  return storeSbom(db, upload, { body, sha256, sizeBytes, document }, storing)
}

/** Reads a file once earlier statements have been sent. Whether it can be read matters only when it is awaited. */
function readMeanwhile(file: Uint8Array): Promise<ReadSbom> {
  const reading = nextTurn().then(() => readSbom(file))
  reading.catch(() => undefined)
  return reading
}
