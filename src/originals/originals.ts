import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import { ServiceError } from '../contract/errors.ts'
import type { Db, Tx } from '../database/connection.ts'
import { ObjectStoreError, type ObjectStore } from './objects/object-store.ts'
import { watchStore, type WatchedStore } from './objects/watched-store.ts'
import { newId } from '../platform/random.ts'
import { keyIdOf, SealError } from '../platform/sealing/envelope.ts'
import type { Sealing } from '../platform/sealing/sealing.ts'
import {
  insertStaged,
  keepStaged,
  releaseStaged,
  selectObject,
  type KnownObject,
  type StoredObject,
} from './object-rows.ts'

/** A file as it came, on its way in. */
export type NewOriginal = {
  workspaceId: string
  /** Of the file, as pages show it. */
  sha256: Buffer
  /** What is kept of it. */
  bytes: Buffer
}

/** What the row that names an original says of it: its bytes, or the object that holds them. */
export type Placed = { kind: 'database'; bytes: Buffer; objectId: null } | PlacedInStore

type PlacedInStore = { kind: 'store'; bytes: null; objectId: string; workspaceId: string; keyId: number }

/** An original as the row that names it says; of the two, one is null. */
export type Named = { workspaceId: string; bytes: Buffer | null; objectId: string | null }

/** Where the files are kept that were sent: SBOMs, VEX documents, attachments of reports, receipts of authorities. */
export type Originals = {
  /** Call it before the transaction that names it, and outside of any other: nothing in the database is locked while waiting for the store. */
  place: (db: Db, original: NewOriginal, now: Date) => Promise<Placed>
  /** The same into the object store, wherever new ones go. Throws `ObjectStoreError`. */
  put: (db: Db, original: NewOriginal, now: Date) => Promise<PlacedInStore>
  /** In the transaction that names it. Codes: `internal` (it took too long, or the key has changed meanwhile: send it again). */
  keep: (tx: Tx, placed: Placed) => Promise<void>
  /** Nothing will name it. */
  release: (db: Db, placed: Placed) => Promise<void>
  /** Codes: `not_configured`, in words that say which original cannot be read and why (`UnreadableOriginal` where asking again does not help). */
  read: (db: Db, named: Named) => Promise<Buffer>
  /** The same of an object that is known already. */
  readObject: (object: KnownObject) => Promise<Buffer>
  /** Whether new ones go into the object store. */
  takesNew: boolean
  /** Null: there is no object store. */
  store: WatchedStore | null
  /** What the keys in it begin with. */
  prefix: string
  /** Which bucket it is, as the rows of its objects name it. */
  bucket: string
  /** What objects are sealed with. */
  sealing: Sealing | null
  /** How many calls to the store have failed since the process began. */
  failures: Record<StoreCall, number>
}

export type StoreCall = 'put' | 'get'

/** Why there is nothing to read: not in the bucket, not what was put there, its key is missing; `lost`: nobody could look. */
export const unreadableReasons = ['missing', 'damaged', 'no_key', 'lost'] as const
export type UnreadableReason = (typeof unreadableReasons)[number]

export class UnreadableOriginal extends ServiceError {
  readonly reason: UnreadableReason
  /** The operator has said that it is lost for good. */
  readonly isGivenUp: boolean

  constructor(reason: UnreadableReason, { message, isGivenUp }: { message: string; isGivenUp: boolean }) {
    super('not_configured', { message })
    this.reason = reason
    this.isGivenUp = isGivenUp
  }
}

const retryAfterSeconds = 5

/** Without an object store every original is in the row that names it. */
export const originalsInDatabase: Originals = createOriginals(null)

type Parts = {
  store: ObjectStore
  sealing: Sealing
  log: Pick<Logger, 'error'>
  /** Whether new originals go there. */
  takesNew: boolean
  prefix: string
  bucket: string
  /** Called for each call that the store has not done. */
  onFailure?: (call: StoreCall) => void
}

export function createOriginals(given: Parts | null): Originals {
  const failures = { put: 0, get: 0 }
  const onFailure = (call: StoreCall) => {
    failures[call] += 1
    given?.onFailure?.(call)
  }
  const parts = given === null ? null : { ...given, store: watchStore(given.store), onFailure }
  return {
    failures,
    takesNew: parts?.takesNew === true,
    store: parts?.store ?? null,
    prefix: parts?.prefix ?? '',
    bucket: parts?.bucket ?? '',
    sealing: parts?.sealing ?? null,
    place: async (db, original, now) => {
      if (parts?.takesNew !== true) return { kind: 'database', bytes: original.bytes, objectId: null }
      try {
        return await putObject(parts, db, original, now)
      } catch (error) {
        if (!(error instanceof ObjectStoreError)) throw error
        const { workspaceId } = original
        parts.log.error({ err: error, workspaceId }, 'an original could not be put into the object store')
        throw new ServiceError('internal', { retryAfterSeconds })
      }
    },
    put: (db, original, now) => {
      if (parts === null) throw new Error('there is no object store')
      return putObject(parts, db, original, now)
    },
    keep: async (tx, placed) => {
      if (placed.kind === 'store') await keepStaged(tx, placed, parts?.sealing)
    },
    release: async (db, placed) => {
      // the schedule does the same a little later, even when this fails
      if (placed.kind === 'store') await releaseStaged(db, placed).catch(() => undefined)
    },
    read: async (db, { workspaceId, bytes, objectId }) => {
      if (objectId === null) {
        if (bytes === null) throw new Error('an original is neither in its row nor in the object store')
        return bytes
      }
      const object = await selectObject(db, { workspaceId, objectId })
      return readFromStore(parts, object)
    },
    readObject: (object) => readFromStore(parts, object),
  }
}

/**
 * Stores an original and what names it: `act` is the transaction that does, and calls `keep`. If it does not, because it fails or finds a
 * duplicate, the object is given up.
 */
export async function withOriginal<T>(
  { db, originals, now }: { db: Db; originals: Originals; now: Date },
  original: NewOriginal,
  act: (placed: Placed) => Promise<T>,
  isNamed: (result: T) => boolean = () => true,
): Promise<T> {
  const placed = await originals.place(db, original, now)
  try {
    const result = await act(placed)
    if (!isNamed(result)) await originals.release(db, placed)
    return result
  } catch (error) {
    await originals.release(db, placed)
    throw error
  }
}

/** What an original is sealed for: it opens under no other id and for no other workspace. */
export function originalPlace({ workspaceId, id }: { workspaceId: string; id: string }) {
  return { purpose: 'original', workspaceId, rowId: id }
}

/** `<prefix><workspace>/<SHA-256 of the file>/<id>`: below the workspace, so that nothing is shared with another one. */
export function keyOfObject(
  prefix: string,
  { id, workspaceId, sha256 }: Pick<StoredObject, 'id' | 'workspaceId' | 'sha256'>,
) {
  return `${prefix}${workspaceId}/${sha256.toString('hex')}/${id}`
}

export function sha256Of(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}

async function putObject(parts: Parts, db: Db, original: NewOriginal, now: Date): Promise<PlacedInStore> {
  const { workspaceId, sha256 } = original
  const id = newId(now)
  const sealed = parts.sealing.seal(originalPlace({ workspaceId, id }), original.bytes)
  const sealedSha256 = sha256Of(sealed)
  const keyId = keyIdOf(sealed)
  const object = { id, workspaceId, sha256, sealedSha256, sealedBytes: sealed.length, keyId }
  // first: even an object that nothing names has a row that leads to it
  await insertStaged(db, { ...object, bucket: parts.bucket })
  try {
    await parts.store.put(keyOfObject(parts.prefix, object), sealed, sealedSha256)
  } catch (error) {
    // what timed out here may still arrive there: the schedule waits longer than any request lives
    parts.onFailure?.('put')
    throw error
  }
  return { kind: 'store', bytes: null, objectId: id, workspaceId, keyId }
}

async function readFromStore(parts: Parts | null, object: KnownObject): Promise<Buffer> {
  const which = `The original with the SHA-256 ${object.sha256.toString('hex')} cannot be read`
  const refuse = (why: string, retry = {}) =>
    new ServiceError('not_configured', { message: `${which} now: ${why}`, ...retry })
  const nothing = (reason: UnreadableReason, why: string) =>
    new UnreadableOriginal(reason, {
      isGivenUp: object.isLost,
      message: object.isLost
        ? `${which} any more: it is lost, and the operator has given it up.`
        : `${which} now: ${why} The operator has to restore it.`,
    })
  if (object.isLost && (parts === null || object.sealedBytes === 0)) throw nothing('lost', '')
  if (parts === null)
    throw refuse(
      'it is in an object store, and the service is not told which. Its operator has to set OBJECT_STORE_URL.',
    )
  try {
    const sealed = await parts.store.get(keyOfObject(parts.prefix, object), object.sealedBytes)
    if (sealed === null) throw nothing('missing', 'it is missing from the object store.')
    if (!sha256Of(sealed).equals(object.sealedSha256))
      throw nothing('damaged', 'it was changed in the object store.')
    return parts.sealing.openBytes(originalPlace(object), sealed)
  } catch (error) {
    if (error instanceof SealError) throw nothing('no_key', 'its encryption key is missing.')
    if (!(error instanceof ObjectStoreError)) throw error
    parts.onFailure?.('get')
    parts.log.error(
      { err: error, objectId: object.id },
      'an original could not be read from the object store',
    )
    const why = error.reason === 'away' ? 'does not answer' : 'does not return it'
    throw refuse(`the object store ${why}.`, { retryAfterSeconds })
  }
}
