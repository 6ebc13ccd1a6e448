import { sql } from 'kysely'
import type { Db, Tx } from '../../database/connection.ts'
import { errorCode } from '../../platform/postgres/store-error.ts'
import { RefusedData } from '../../source-files/refused-data.ts'

/** The kinds of imports, each with one lock: records of all ecosystems share tables and groups, and so do the catalogues. */
const locks = { records: 1, catalogues: 2 } as const
export type ImportLock = keyof typeof locks

/** How an import waits while another one writes the same tables. */
export type Waiting = {
  /** Called for each wait, in real time. Throws `RefusedData` to wait no longer. */
  waited: (ms: number) => void
}

/** Waits for ever, and says so: somebody is watching. */
export function waitingAloud(tell: () => void): Waiting {
  return { waited: tell }
}

/** Waits this long in total: waiting takes up a lane that others need. */
export function waitingAtMost(limitMs: number): Waiting {
  let totalMs = 0
  return {
    waited: (ms) => {
      totalMs += ms
      if (totalMs < limitMs) return
      const minutes = Math.round(limitMs / 60_000)
      throw new RefusedData(
        `another import of vulnerability data has been running for more than ${minutes} minutes; the next attempt comes by itself`,
      )
    },
  }
}

const lockClass = 7_401
/** Each attempt queues with others who wait for the lock; between two attempts no transaction is open. */
const lookMs = 2_000

class IsHeld extends Error {
  override name = 'IsHeld'
}

/**
 * Opens the one transaction of an import. It takes a lock, so that nobody imports the same at the same time; the lock ends with the transaction,
 * even of a killed process. Its statements may take long, and so may reading the next piece of a large file: the limits that protect the
 * database from a hanging request do not apply. Everything to be fetched for it is fetched before.
 */
export async function inImportTransaction<T>(
  db: Db,
  { lock, waiting }: { lock: ImportLock; waiting: Waiting },
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  for (;;) {
    const begunAt = performance.now()
    try {
      return await db.transaction().execute(async (tx) => {
        await waitForLock(tx, lock)
        await sql`set local statement_timeout = 0`.execute(tx)
        await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
        return work(tx)
      })
    } catch (error) {
      if (!(error instanceof IsHeld)) throw error
      waiting.waited(performance.now() - begunAt)
    }
  }
}

async function waitForLock(tx: Tx, lock: ImportLock): Promise<void> {
  const { rows } = await sql<{ before: string; look: string }>`
    select current_setting('lock_timeout') as before, set_config('lock_timeout', ${`${lookMs}ms`}, true) as look`.execute(
    tx,
  )
  await sql`select pg_advisory_xact_lock(${lockClass}::int, ${locks[lock]}::int)`
    .execute(tx)
    .catch((error: unknown) => {
      // 55P03: lock_not_available
      throw errorCode(error) === '55P03' ? new IsHeld('another import is running', { cause: error }) : error
    })
  // The default would be that of the server, which may have none.
  await sql`select set_config('lock_timeout', ${rows[0]?.before ?? '0'}, true)`.execute(tx)
}

/** Whether nobody is importing; if so, nobody will until the transaction ends. */
export async function isLockFree(tx: Tx, lock: ImportLock): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(${lockClass}::int, ${locks[lock]}::int) as locked`.execute(tx)
  return rows[0]?.locked === true
}
