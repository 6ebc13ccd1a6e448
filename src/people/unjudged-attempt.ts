import { sql } from 'kysely'
import type { Db } from '../database/connection.ts'
import { isStoreAway } from '../platform/postgres/store-away.ts'
import { transact } from '../platform/concurrency/transact.ts'
import { subjectsOf, type Attempt } from './sign-in-window.ts'

/**
 * Does what follows an attempt that was counted, unless its proof was found wrong. What the database cannot do, because its disk is full or it is
 * away, is nobody's failed sign-in: it does not count then, as far as the database can record that.
 */
export async function uncountedWhileAway<T>(db: Db, attempt: Attempt, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isStoreAway(error)) throw error
    await uncount(db, attempt).catch((second: unknown) => {
      throw new SuppressedError(second, error, 'nor could the attempt be given back')
    })
    throw error
  }
}

/** In the order in which attempts are counted. */
async function uncount(db: Db, attempt: Attempt): Promise<void> {
  const { pair, place, site, mailbox } = subjectsOf(attempt)
  await transact(db, async (tx) => {
    for (const subject of [pair, place, site, mailbox]) {
      await sql`update sign_in_window set attempts = greatest(attempts - 1, 0) where subject = ${subject}`.execute(
        tx,
      )
    }
  })
}
