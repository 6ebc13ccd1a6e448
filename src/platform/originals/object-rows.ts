import { sql } from 'kysely'
import { ServiceError } from '../../contract/errors.ts'
import type { Db, Tx } from '../../database/connection.ts'
import type { Sealing } from '../sealing/sealing.ts'

/** An object as the database knows it. */
export type StoredObject = {
  id: string
  workspaceId: string
  sha256: Buffer
  sealedSha256: Buffer
  sealedBytes: number
  keyId: number
}

type ObjectKey = { workspaceId: string; objectId: string }

export const objectColumns = [
  'id',
  'workspace_id as workspaceId',
  'sha256',
  'sealed_sha256 as sealedSha256',
  'sealed_bytes as sealedBytes',
  'key_id as keyId',
] as const

/** An object that is about to be put. */
export async function insertStaged(db: Db, object: StoredObject): Promise<void> {
  await db
    .insertInto('original_object')
    .values({
      id: object.id,
      workspace_id: object.workspaceId,
      sha256: object.sha256,
      sealed_sha256: object.sealedSha256,
      sealed_bytes: object.sealedBytes,
      key_id: object.keyId,
      state: 'staged',
    })
    .execute()
}

/**
 * An object that this transaction names. The lock on the keys has `keys rotate` find it, or this find that the key has changed. Codes:
 * `internal`.
 */
export async function keepStaged(
  tx: Tx,
  { workspaceId, objectId, keyId }: ObjectKey & { keyId: number },
  sealing: Sealing | undefined,
): Promise<void> {
  await sealing?.lock(tx)
  const { numUpdatedRows } = await tx
    .updateTable('original_object')
    .set({ state: 'kept' })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', objectId)
    .where('state', '=', 'staged')
    .executeTakeFirst()
  if (numUpdatedRows !== 1n || sealing?.ring?.writing.id !== keyId)
    throw new ServiceError('internal', { retryAfterSeconds: 1 })
}

/** One that nothing will name. */
export async function releaseStaged(db: Db, { workspaceId, objectId }: ObjectKey): Promise<void> {
  await db
    .updateTable('original_object')
    .set({ state: 'erasing', erase_from: sql<Date>`now()` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', objectId)
    .where('state', '=', 'staged')
    .execute()
}

export async function selectObject(db: Db, { workspaceId, objectId }: ObjectKey): Promise<StoredObject> {
  return db
    .selectFrom('original_object')
    .select(objectColumns)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', objectId)
    .executeTakeFirstOrThrow()
}
