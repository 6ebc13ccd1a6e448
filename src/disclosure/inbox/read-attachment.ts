import type { Db } from '../../database/connection.ts'
import type { Originals } from '../../originals/originals.ts'
import type { Sealing } from '../../platform/sealing/sealing.ts'
import { attachmentContentPlace } from '../sealed-places.ts'

type Reading = {
  workspaceId: string
  id: string
  row: { content_sealed: Buffer | null; object_id: string | null }
  sealing: Sealing
  originals: Originals
}

/**
 * What was attached, wherever it lies: in the database it is sealed for its row, in the object store like every original. Codes:
 * `not_configured`. Throws `SealError`.
 */
export async function readAttachment(
  db: Db,
  { workspaceId, id, row, sealing, originals }: Reading,
): Promise<Buffer> {
  const { content_sealed: sealed, object_id: objectId } = row
  if (sealed !== null) return sealing.openBytes(attachmentContentPlace({ workspaceId, id }), sealed)
  return originals.read(db, { workspaceId, bytes: null, objectId })
}
