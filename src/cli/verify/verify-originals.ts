import type { Db } from '../../database/connection.ts'
import { inParallel } from '../../platform/concurrency/in-parallel.ts'
import { ObjectStoreError } from '../../originals/objects/object-store.ts'
import { isStillKept, keptObjects } from '../../originals/check.ts'
import { objectsInParallel } from '../../originals/erase.ts'
import type { StoredObject } from '../../originals/object-rows.ts'
import { keyOfObject } from '../../originals/originals.ts'
import { errorCode } from '../../platform/postgres/store-error.ts'
import type { Process } from '../open-process.ts'
import { progressLine } from '../progress.ts'

export type FoundOriginals = {
  /** That the backup names in an object store. */
  inObjectStore: number
  /** Whether they were looked for there. */
  lookedFor: boolean
  missing: number
  /** Not there, and named by the service's own database no longer. */
  erasedSince: number
}

type Looking = { process: Process; problems: string[]; say: (line: string) => void }

/** Asks the object store for every original that the restored rows name there. Whether it is what was put, `objects check` says. */
export async function lookForOriginals(
  restored: Db,
  { process, problems, say }: Looking,
): Promise<FoundOriginals> {
  const { originals, db } = process
  const { store, prefix } = originals
  const found = { inObjectStore: 0, lookedFor: store !== null, missing: 0, erasedSince: 0 }
  const onProgress = progressLine()
  // once it has failed, the rest is only counted
  const failures: ObjectStoreError[] = []
  const isThere = async (object: StoredObject): Promise<boolean> => {
    if (store === null || failures.length > 0) return true
    try {
      return await store.has(keyOfObject(prefix, object))
    } catch (error) {
      if (!(error instanceof ObjectStoreError)) throw error
      failures.push(error)
      return true
    }
  }
  const look = async (object: StoredObject) => {
    found.inObjectStore += 1
    onProgress({ label: 'originals', done: found.inObjectStore, total: null })
    if (await isThere(object)) return
    if (await isStillNamed(db, object)) found.missing += 1
    else found.erasedSince += 1
  }
  await inParallel(keptObjects(restored), objectsInParallel, look)
  const [failure] = failures
  if (failure !== undefined) {
    found.lookedFor = false
    problems.push(`The originals in the object store could not be looked for: ${failure.message}`)
  }
  const { inObjectStore, missing, erasedSince } = found
  if (missing > 0) problems.push(`${missing} of ${inObjectStore} originals are not in the object store.`)
  if (erasedSince > 0)
    say(`${erasedSince} of ${inObjectStore} originals were erased after the backup: a restore lacks them.`)
  if (inObjectStore > 0 && store === null)
    say(
      `${inObjectStore} originals lie in an object store and were not looked for: OBJECT_STORE_URL is not set.`,
    )
  return found
}

/** A database that is not the service's knows nothing of what was erased. */
async function isStillNamed(db: Db, object: StoredObject): Promise<boolean> {
  try {
    return await isStillKept(db, object)
  } catch (error) {
    if (errorCode(error) === '42P01') return true
    throw error
  }
}
