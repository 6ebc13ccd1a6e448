import { createHash } from 'node:crypto'
import { sql, type UpdateObject } from 'kysely'
import { ServiceError } from '../contract/errors.ts'
import type { Db, Tx } from '../database/connection.ts'
import type { Tables } from '../database/tables.ts'
import type { Sealing } from '../platform/sealing/sealing.ts'

/** An object as the database knows it. */
export type StoredObject = {
  id: string
  workspaceId: string
  sha256: Buffer
  sealedSha256: Buffer
  sealedBytes: number
  keyId: number
}

/** Whether an operator has given it up, or it came without its bytes: it is read as far as it is there. */
export type KnownObject = StoredObject & { isLost: boolean }

type ObjectKey = { workspaceId: string; objectId: string }
type ObjectKeys = { workspaceId: string; objectIds: readonly string[] }

export const objectColumns = [
  'id',
  'workspace_id as workspaceId',
  'sha256',
  'sealed_sha256 as sealedSha256',
  'sealed_bytes as sealedBytes',
  'key_id as keyId',
] as const

export const isLost = sql<boolean>`state = 'lost'`.as('isLost')

/** An object that is about to be put. */
export async function insertStaged(db: Db, object: StoredObject & { bucket: string }): Promise<void> {
  await db
    .insertInto('original_object')
    .values({
      id: object.id,
      workspace_id: object.workspaceId,
      sha256: object.sha256,
      sealed_sha256: object.sealedSha256,
      sealed_bytes: object.sealedBytes,
      key_id: object.keyId,
      bucket: object.bucket,
      state: 'staged',
    })
    .execute()
}

/**
 * An object that this transaction names. With the lock on the keys either `keys rotate` finds it, or this finds that the key has
 * changed. Codes: `internal`.
 */
export async function keepStaged(
  tx: Tx,
  { workspaceId, objectId, keyId }: ObjectKey & { keyId: number },
  sealing: Sealing | undefined,
): Promise<void> {
  await sealing?.lock(tx)
  const kept = await keepStagedOf(tx, { workspaceId, objectIds: [objectId] })
  if (kept !== 1 || sealing?.ring?.writing.id !== keyId)
    throw new ServiceError('internal', { retryAfterSeconds: 1 })
}

/** Those that this transaction names. Returns how many of them were still there to be kept. */
export async function keepStagedOf(tx: Tx, keys: ObjectKeys): Promise<number> {
  return changeState(tx, keys, { from: 'staged', to: { state: 'kept', kept_at: sql`now()` } })
}

/** Those that an operator gives up. Returns how many of them were kept until then. */
export async function markLost(tx: Tx, keys: ObjectKeys): Promise<number> {
  return changeState(tx, keys, { from: 'kept', to: { state: 'lost' } })
}

/** One that comes without its bytes: an object of none, which lies in no bucket. */
export async function insertLost(
  tx: Tx,
  { workspaceId, objectId, sha256 }: ObjectKey & { sha256: Buffer },
): Promise<void> {
  await tx
    .insertInto('original_object')
    .values({
      id: objectId,
      workspace_id: workspaceId,
      sha256,
      sealed_sha256: createHash('sha256').digest(),
      sealed_bytes: 0,
      key_id: 0,
      state: 'lost',
    })
    .execute()
}

/** One that nothing will name. */
export async function releaseStaged(db: Db, { workspaceId, objectId }: ObjectKey): Promise<void> {
  await releaseStagedOf(db, { workspaceId, objectIds: [objectId] })
}

export async function releaseStagedOf(db: Db, keys: ObjectKeys): Promise<void> {
  await changeState(db, keys, { from: 'staged', to: { state: 'erasing', erase_from: sql`now()` } })
}

type StateChange = {
  from: 'staged' | 'kept'
  to: UpdateObject<Tables, 'original_object'>
}

/** Returns how many were in the state before. */
async function changeState(
  db: Db,
  { workspaceId, objectIds }: ObjectKeys,
  { from, to }: StateChange,
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('original_object')
    .set(to)
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', objectIds)
    .where('state', '=', from)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Objects that this bucket has. A row that somebody is changing just now is left to the next check. */
export async function rememberBucket(db: Db, ids: readonly string[], bucket: string): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('original_object')
    .set({ bucket })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('original_object')
        .select('id')
        .where('id', 'in', ids)
        .where('bucket', 'is distinct from', bucket)
        .orderBy('id')
        .forNoKeyUpdate()
        .skipLocked(),
    )
    .execute()
}

/** Those of a workspace that take longer than an upload are kept from being given up (`giveUpStaged`): again and again, some minutes before. */
export async function renewStaged(db: Db, workspaceId: string): Promise<void> {
  await sql`
    update original_object set staged_at = now()
    where workspace_id = ${workspaceId} and state = 'staged'
      and staged_at < now() - interval '5 minutes'`.execute(db)
}

export async function selectObject(db: Db, { workspaceId, objectId }: ObjectKey): Promise<KnownObject> {
  return db
    .selectFrom('original_object')
    .select([...objectColumns, isLost])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', objectId)
    .executeTakeFirstOrThrow()
}

/** Objects that are erased. Returns the hashes of those that something has named, as pages show them. */
export async function forgetObjects(
  tx: Tx,
  { workspaceId, ids }: { workspaceId: string; ids: readonly string[] },
): Promise<string[]> {
  if (ids.length === 0) return []
  const gone = await tx
    .deleteFrom('original_object')
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', ids)
    .where('state', '=', 'erasing')
    .returning(['sha256', 'kept_at'])
    .execute()
  return gone
    .filter(({ kept_at }) => kept_at !== null)
    .map(({ sha256 }) => sha256.toString('hex'))
    .sort()
}

/** How many are given up, or came without their bytes. */
export async function countLost(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('original_object')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('state', '=', 'lost')
    .executeTakeFirstOrThrow()
  return count
}

/** How many objects were sealed with a key that is not there. Index original_object_key. */
export async function countUnopenable(db: Db, { ring }: Sealing): Promise<number> {
  const rows = await db
    .selectFrom('original_object')
    .select(['key_id', (eb) => eb.fn.countAll<number>().as('count')])
    .where('state', '=', 'kept')
    .groupBy('key_id')
    .execute()
  const missing = rows.filter(({ key_id: id }) => ring?.find(id) === undefined)
  return missing.reduce((sum, { count }) => sum + count, 0)
}
