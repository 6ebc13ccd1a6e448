import { hash } from 'node:crypto'
import type { Db } from '../../database/connection.ts'
import { decompress } from '../../formats/decompress/decompress.ts'
import { parseJson } from '../../formats/json/parse.ts'
import { readVex } from '../../formats/vex/read-vex.ts'
import type { Originals } from '../../originals/originals.ts'
import type { Clock } from '../../platform/clock.ts'
import { checkSender } from '../../products/tokens/lock-sender.ts'
import { effectiveState, refuseWhenReadOnly } from '../../workspace/state.ts'
import { selectStanding } from './queries.ts'
import type { StoredVex } from './receipt.ts'
import { storeVex } from './store-vex.ts'
import type { VexUpload } from './upload.ts'

/**
 * Receives one VEX document: `POST /api/v1/vex` from the third check of its order on (token and rate limit come before it, with the
 * size as sent). Returns when everything is committed.
 *
 * `maxFileBytes` bounds the inflated file; over it `too_large`. Codes in their order: `bad_encoding`, `empty`, `too_large`;
 * `billing_lapsed`; `invalid_json` and those of `readVex`; `unauthorized`, `family_not_found` and `billing_lapsed` once more from
 * inside the storing transaction, or before a duplicate is told.
 */
export async function receiveVex(
  db: Db,
  upload: VexUpload,
  body: Uint8Array,
  { maxFileBytes, ...storing }: { maxFileBytes: number; clock: Clock; originals?: Originals },
): Promise<StoredVex> {
  const file = decompress(body, upload.contentEncoding, 'gzip_and_zstd', maxFileBytes)
  const sha256 = hash('sha256', file, 'buffer')
  const { workspaceId, familyId } = upload.sender
  const standing = await selectStanding(db, { workspaceId, familyId, sha256 })
  refuseWhenReadOnly(effectiveState(standing.workspace, storing.clock()))
  if (standing.duplicate !== null) {
    await checkSender(db, upload.sender, storing.clock)
    return standing.duplicate
  }
  const document = readVex(parseJson(file, 'vex'))
  return storeVex(db, upload, { body, sha256, sizeBytes: file.length, document, maxFileBytes }, storing)
}
