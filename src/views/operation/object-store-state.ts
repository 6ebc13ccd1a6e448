import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../database/connection.ts'
import { ObjectStoreError } from '../../originals/objects/object-store.ts'
import type { WatchedStore } from '../../originals/objects/watched-store.ts'
import type { Originals } from '../../originals/originals.ts'
import { countErasing } from '../../originals/erase.ts'
import { selectObjectStates, type ObjectStates } from '../../originals/metrics.ts'
import { originalColumns } from './original-columns.ts'

/** The object store as an operator needs to know it. */
export type ObjectStoreState = {
  /** Host, bucket and prefix. */
  place: string
  /** Whether new originals go there. */
  takesNew: boolean
  /** null: it answers. */
  failing: { since: Date; words: string } | null
  /** The last failure that this process has met. */
  lastError: { at: Date; words: string } | null
  objects: ObjectStates
  /** Of those to be erased: in another bucket. */
  elsewhere: number
  /** Originals that the database holds. */
  inDatabase: number
}

/** A page waits so long for a store that is silent. */
const askedMs = 3_000

/** Asks the store now, and counts. Null: there is none. */
export async function objectStoreState(
  db: Db,
  originals: Pick<Originals, 'store' | 'prefix' | 'bucket' | 'takesNew'>,
  now: Date,
): Promise<ObjectStoreState | null> {
  const { store, prefix, bucket, takesNew } = originals
  if (store === null) return null
  const silence = await askOnce(store, prefix)
  const { failingSinceMs, lastError } = store.health()
  const at = (ms: number) => new Date(now.getTime() - Math.max(0, performance.now() - ms))
  const words = silence ?? (failingSinceMs === null ? null : (lastError?.words ?? null))
  return {
    place: bucket,
    takesNew,
    failing: words === null ? null : { since: failingSinceMs === null ? now : at(failingSinceMs), words },
    lastError: lastError === null ? null : { at: at(lastError.atMs), words: lastError.words },
    objects: await selectObjectStates(db),
    elsewhere: (await countErasing(db, bucket)).elsewhere,
    inDatabase: await countInDatabase(db),
  }
}

/** Asks for a key that nothing has: a store that works says so. Returns what is wrong; null: nothing. */
async function askOnce(store: WatchedStore, prefix: string): Promise<string | null> {
  const ending = new AbortController()
  const asking = store.get(`${prefix}nothing-has-this-key`, 1).then(
    () => null,
    (error: unknown) => {
      if (error instanceof ObjectStoreError) return error.message
      throw error
    },
  )
  const silence = sleep(askedMs, `the object store has not answered for ${askedMs / 1_000} seconds`, {
    signal: ending.signal,
  })
  try {
    return await Promise.race([asking, silence.catch(() => null)])
  } finally {
    ending.abort()
  }
}

async function countInDatabase(db: Db): Promise<number> {
  const counts = originalColumns.map(
    ({ table, column }) =>
      sql`(select count(*) from ${sql.table(table)} where ${sql.ref(column)} is not null)`,
  )
  const { rows } = await sql<{ count: number }>`select ${sql.join(counts, sql` + `)} as count`.execute(db)
  return rows[0]?.count ?? 0
}
