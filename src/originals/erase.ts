import { sql } from 'kysely'
import type { Db } from '../database/connection.ts'
import { objectColumns, type StoredObject } from './object-rows.ts'
import { keyOfObject } from './originals.ts'
import { inParallel } from '../platform/concurrency/in-parallel.ts'
import type { ObjectStore } from './objects/object-store.ts'

/** Long after every request that could still put one has ended: its process was killed, or gave up on the store. */
const stagedMinutes = 15
const atOnce = 200
export const objectsInParallel = 8

/** Gives up objects that were about to be named and never were. Real time: the product clock may jump. Returns how many there were. */
export async function giveUpStaged(db: Db, olderThanMinutes = stagedMinutes): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update original_object set state = 'erasing', erase_from = now()
    where state = 'staged' and staged_at < now() - make_interval(mins => ${olderThanMinutes}::int)`.execute(
    db,
  )
  return Number(numAffectedRows)
}

/** Whose objects are due to be erased from this bucket. Index original_object_erasing. */
export async function selectErasing(
  db: Db,
  { bucket, unknown }: Pick<Erasing, 'bucket' | 'unknown'>,
): Promise<string[]> {
  const { rows } = await sql<{ workspace_id: string }>`
    select distinct workspace_id from original_object
    where state = 'erasing' and erase_from <= now() and ${isIn(bucket, unknown)}`.execute(db)
  return rows.map((row) => row.workspace_id)
}

/** Objects whose erasure the bucket can prove. Of one that names none, `unknown` is what is taken of it. */
function isIn(bucket: string, unknown: 'here' | 'elsewhere') {
  return unknown === 'here'
    ? sql<boolean>`coalesce(bucket, ${bucket}) = ${bucket}`
    : sql<boolean>`bucket = ${bucket}`
}

/** How many wait for their erasure: here, and in another bucket. Index original_object_erasing. */
export async function countErasing(db: Db, bucket: string): Promise<{ here: number; elsewhere: number }> {
  const { rows } = await sql<{ here: number; elsewhere: number }>`
    select count(*) filter (where ${isIn(bucket, 'here')})::int as here,
      count(*) filter (where not ${isIn(bucket, 'here')})::int as elsewhere
    from original_object where state = 'erasing'`.execute(db)
  return rows[0] ?? { here: 0, elsewhere: 0 }
}

export type Erasing = {
  workspaceId: string
  store: ObjectStore
  prefix: string
  bucket: string
  /** Where those are that a release put which did not say: the service takes them to be in the bucket that is set. */
  unknown: 'here' | 'elsewhere'
}

/**
 * Removes some objects that nothing names any more, and asks for each of them afterwards: the answer that there is none is the proof. Their rows
 * stay until `forget`. An object is never written again under the same key, so that running it twice changes nothing. What was put into another
 * bucket is left: that this one does not have it says nothing.
 */
export async function eraseSome(
  db: Db,
  { workspaceId, store, prefix, bucket, unknown }: Erasing,
): Promise<{ erased: StoredObject[]; isLast: boolean }> {
  const due = await db
    .selectFrom('original_object')
    .select(objectColumns)
    .where('workspace_id', '=', workspaceId)
    .where('state', '=', 'erasing')
    .where('erase_from', '<=', sql<Date>`now()`)
    .where(isIn(bucket, unknown))
    .orderBy('erase_from')
    .orderBy('id')
    .limit(atOnce)
    .execute()
  await inParallel(due, objectsInParallel, async (object) => {
    const key = keyOfObject(prefix, object)
    await store.remove(key)
    if (await store.has(key))
      throw new Error(`the object store still has ${key} after it was told to remove it`)
  })
  return { erased: due, isLast: due.length < atOnce }
}
