import { sql } from 'kysely'
import type { Db } from '../database/connection.ts'
import { inParallel } from '../platform/concurrency/in-parallel.ts'
import { SealError } from '../platform/sealing/envelope.ts'
import { countErasing, objectsInParallel } from './erase.ts'
import { objectColumns, rememberBucket, type StoredObject } from './object-rows.ts'
import { keyOfObject, originalPlace, sha256Of, type Originals } from './originals.ts'

/** An object that something is wrong with: its workspace and its file. */
export type Faulty = { key: string; workspaceId: string; sha256: string }

export type Checked = {
  kept: number
  bytes: number
  /** Named, and not there. */
  missing: Faulty[]
  /** There, and not what was put. */
  damaged: Faulty[]
  /** As they were put, but their encryption key is not here. */
  unopenable: number
  /** Given up (`objects give-up`), or taken in without their bytes. One that is found whole again counts as kept from then on. */
  lost: Faulty[]
  /** There, and known to nobody: a backup that is older than they are was restored, or this prefix is another installation's. */
  orphaned: { count: number; keys: string[] }
  removedOrphans: number
  /** Put, and named by nothing yet: uploads that are under way, or were killed. */
  staged: number
  /** Named by nothing any more: a job erases them. */
  erasing: number
  /** Of these: put into another bucket, and not found in this one. `objects erase` with its address erases them. */
  elsewhere: number
  /** The bucket keeps what is removed: nothing is erased there. Null: it does not say. */
  keepsVersions: boolean | null
}

type Checking = {
  removeOrphans: boolean
  onProgress?: (progress: { label: string; done: number; total: number | null }) => void
}

/** Of a list in the answer. */
const maxListed = 100
const rowsAtOnce = 500

/**
 * Reads every object that is named and compares it, then lists the bucket for what nobody knows. What it lists of the others is here from now on, wherever
 * it was put: so it follows a copy into another bucket, and one bucket that has another name.
 */
export async function checkObjects(
  db: Db,
  originals: Originals,
  { removeOrphans, onProgress }: Checking,
): Promise<Checked> {
  const { store, prefix, bucket } = originals
  if (store === null) throw new Error('there is no object store')
  const counts = await countStates(db)
  const found: Checked = {
    kept: 0,
    bytes: 0,
    missing: [],
    damaged: [],
    unopenable: 0,
    lost: [],
    removedOrphans: 0,
    orphaned: { count: 0, keys: [] },
    staged: counts.staged,
    erasing: counts.erasing,
    elsewhere: 0,
    keepsVersions: await store.keepsVersions(),
  }
  await readKept(db, originals, found, () => {
    onProgress?.({ label: 'objects', done: found.kept, total: Math.max(counts.kept, found.kept) })
  })
  await readLost(db, originals, found)
  for await (const page of store.list(prefix)) {
    const keys = page.map(({ key }) => key)
    const { ids, unknown: orphans } = await knownOf(db, keys)
    await rememberBucket(db, ids, bucket)
    for (const key of orphans) {
      found.orphaned.count += 1
      if (found.orphaned.keys.length < maxListed) found.orphaned.keys.push(key)
      if (!removeOrphans) continue
      await store.remove(key)
      found.removedOrphans += 1
    }
  }
  found.elsewhere = (await countErasing(db, bucket)).elsewhere
  found.missing = found.missing.slice(0, maxListed)
  found.lost = found.lost.slice(0, maxListed)
  return found
}

async function readKept(db: Db, originals: Originals, found: Checked, onRead: () => void): Promise<void> {
  await inParallel(keptObjects(db), objectsInParallel, async (object) => {
    const fault = await faultOf(originals, object)
    if (fault === 'missing') {
      if (await isStillKept(db, object)) found.missing.push(faultyOf(originals.prefix, object))
    } else if (fault === 'damaged') found.damaged.push(faultyOf(originals.prefix, object))
    else if (fault === 'no_key') found.unopenable += 1
    found.kept += 1
    found.bytes += object.sealedBytes
    onRead()
  })
}

/** Those that are there whole are kept again. */
async function readLost(db: Db, originals: Originals, found: Checked): Promise<void> {
  for await (const object of objectsIn(db, 'lost')) {
    if (object.sealedBytes > 0 && (await faultOf(originals, object)) === null) {
      await findAgain(db, object)
      found.kept += 1
      found.bytes += object.sealedBytes
    } else found.lost.push(faultyOf(originals.prefix, object))
  }
}

function faultyOf(prefix: string, object: StoredObject): Faulty {
  const { workspaceId, sha256 } = object
  return { key: keyOfObject(prefix, object), workspaceId, sha256: sha256.toString('hex') }
}

/** Null: it is as it was put. */
async function faultOf(
  { store, prefix, sealing }: Originals,
  object: StoredObject,
): Promise<'missing' | 'damaged' | 'no_key' | null> {
  if (store === null || sealing === null) throw new Error('there is no object store')
  const sealed = await store.get(keyOfObject(prefix, object), object.sealedBytes)
  if (sealed === null) return 'missing'
  if (!sha256Of(sealed).equals(object.sealedSha256)) return 'damaged'
  try {
    sealing.openBytes(originalPlace(object), sealed)
    return null
  } catch (error) {
    if (error instanceof SealError) return 'no_key'
    throw error
  }
}

type States = { staged: number; kept: number; erasing: number }

async function countStates(db: Db): Promise<States> {
  const { rows } = await sql<States>`
    select count(*) filter (where state = 'staged')::int as staged, count(*) filter (where state = 'kept')::int as kept,
      count(*) filter (where state = 'erasing')::int as erasing
    from original_object`.execute(db)
  return rows[0] ?? { staged: 0, kept: 0, erasing: 0 }
}

export function keptObjects(db: Db): AsyncGenerator<StoredObject> {
  return objectsIn(db, 'kept')
}

async function* objectsIn(db: Db, state: 'kept' | 'lost'): AsyncGenerator<StoredObject> {
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const rows = await db
      .selectFrom('original_object')
      .select(objectColumns)
      .where('state', '=', state)
      .where('id', '>', after)
      .orderBy('id')
      .limit(rowsAtOnce)
      .execute()
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < rowsAtOnce) return
    after = last.id
  }
}

/** One that was given up and is there whole. */
async function findAgain(db: Db, { id, workspaceId }: StoredObject): Promise<void> {
  await db
    .updateTable('original_object')
    .set({ state: 'kept' })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('state', '=', 'lost')
    .execute()
}

/** It may have been removed since it was listed. */
export async function isStillKept(db: Db, { id, workspaceId }: StoredObject): Promise<boolean> {
  const row = await db
    .selectFrom('original_object')
    .select('state')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.state === 'kept'
}

const keyForm = /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** An object has a row before it is put, so that one without has none coming. */
async function knownOf(db: Db, keys: readonly string[]): Promise<{ ids: string[]; unknown: string[] }> {
  const idOf = (key: string) => keyForm.exec(key)?.[1]
  const ids = keys.flatMap((key) => idOf(key) ?? [])
  if (ids.length === 0) return { ids, unknown: [...keys] }
  const known = await db.selectFrom('original_object').select('id').where('id', 'in', ids).execute()
  const isKnown = new Set(known.map(({ id }) => id))
  return { ids: [...isKnown], unknown: keys.filter((key) => !isKnown.has(idOf(key) ?? '')) }
}
