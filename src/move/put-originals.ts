import type { Db, Tx } from '../database/connection.ts'
import { inParallel } from '../platform/concurrency/in-parallel.ts'
import { ObjectStoreError } from '../originals/objects/object-store.ts'
import { keepStagedOf, releaseStagedOf, renewStaged } from '../originals/object-rows.ts'
import { putCompared } from '../originals/move.ts'
import { requireSealing } from '../platform/sealing/sealing.ts'
import { MoveError } from './move-error.ts'
import { readOriginals, type ArrivingOriginals } from './read-originals.ts'

/** How many are put at once, and are in memory. */
const originalsAtOnce = 4
const rowsAtOnce = 5_000
const renewMs = 60_000

type Page = { tables: string[]; ids: string[]; sha256: string[]; objectIds: string[] }

/** What an import has put into the object store, and which row is going to name each. Of a file some two hundred bytes stay in memory. */
export class PutOriginals {
  readonly #all: Page = { tables: [], ids: [], sha256: [], objectIds: [] }
  /** Ends what keeps them from being given up. */
  readonly endRenewal: () => Promise<void>

  constructor(endRenewal: () => Promise<void>) {
    this.endRenewal = endRenewal
  }

  add({ table, id, sha256 }: { table: string; id: string; sha256: string }, objectId: string): void {
    this.#all.tables.push(table)
    this.#all.ids.push(id)
    this.#all.sha256.push(sha256)
    this.#all.objectIds.push(objectId)
  }

  *pages(): Generator<Page> {
    const { tables, ids, sha256, objectIds } = this.#all
    for (let from = 0; from < ids.length; from += rowsAtOnce) {
      const some = <T>(list: T[]) => list.slice(from, from + rowsAtOnce)
      yield { tables: some(tables), ids: some(ids), sha256: some(sha256), objectIds: some(objectIds) }
    }
  }

  get count(): number {
    return this.#all.ids.length
  }
}

type Putting = ArrivingOriginals & {
  workspaceId: string
  /** How many of them are in the archive. */
  total: number
  now: Date
  onProgress: (progress: { label: string; done: number; total: number | null }) => void
}

/**
 * Puts the originals of an archive into the object store, where this installation keeps its own there, each read back and compared, and has `write` name
 * them in its transaction: so that no transaction waits for the store. Until then they are staged: after a kill they are given up like those of
 * an upload, and a failure gives them up itself. `put` is null where originals go into the database. Throws MoveError
 * `store_away`, `file_damaged`; codes: `not_configured` (keys).
 */
export async function withPutOriginals<T>(
  db: Db,
  putting: Putting,
  write: (put: PutOriginals | null) => Promise<T>,
): Promise<T> {
  const { originals, sealing, workspaceId } = putting
  if (!originals.takesNew) return write(null)
  await requireSealing(db, sealing, 'what is sealed in a workspace')
  const put = new PutOriginals(renewAgainAndAgain(db, workspaceId))
  try {
    await putAll(db, putting, put)
    return await write(put)
  } catch (error) {
    for (const { objectIds } of put.pages())
      await releaseStagedOf(db, { workspaceId, objectIds }).catch(() => undefined)
    throw inWords(error)
  } finally {
    await put.endRenewal()
  }
}

/** A large workspace stays staged longer than anything else. Returns a function that ends the renewal, once the run under way has ended. */
function renewAgainAndAgain(db: Db, workspaceId: string): () => Promise<void> {
  let turn = Promise.resolve()
  const renewing = setInterval(() => {
    // the next run makes up for a failed one
    turn = turn.then(() => renewStaged(db, workspaceId)).catch(() => undefined)
  }, renewMs)
  return () => {
    clearInterval(renewing)
    return turn
  }
}

async function putAll(db: Db, putting: Putting, put: PutOriginals): Promise<void> {
  const { originals, workspaceId, total, now, onProgress } = putting
  await inParallel(readOriginals(workspaceId, putting), originalsAtOnce, async ({ head, bytes }) => {
    const original = { workspaceId, sha256: Buffer.from(head.sha256, 'hex'), bytes }
    const { objectId } = await putCompared(db, originals, { original, now })
    put.add(head, objectId)
    onProgress({ label: 'putting originals into the object store', done: put.count, total })
  })
}

function inWords(error: unknown): unknown {
  if (!(error instanceof ObjectStoreError)) return error
  return new MoveError(
    'store_away',
    `The originals cannot be put into the object store: ${error.message}. Nothing of the workspace was written; run the import again.`,
    { cause: error },
  )
}

/** At the end of the transaction that names them. Throws MoveError `store_away`. */
export async function keepPut(tx: Tx, workspaceId: string, put: PutOriginals | null): Promise<void> {
  if (put === null) return
  // otherwise the renewal and this transaction could deadlock
  await put.endRenewal()
  let kept = 0
  for (const { objectIds } of put.pages()) kept += await keepStagedOf(tx, { workspaceId, objectIds })
  if (kept === put.count) return
  throw new MoveError(
    'store_away',
    'Originals that were put into the object store were given up before all of them were there: the import was held up for too long. ' +
      'Nothing of the workspace was written; run the import again.',
  )
}
