import { sql } from 'kysely'
import type { Db, Tx } from '../../database/connection.ts'

/** What is imported under one lock: records of all ecosystems share tables and groups, and so do the catalogues. */
const locks = { records: 1, catalogues: 2 } as const
export type ImportLock = keyof typeof locks

const lockClass = 7_401
const pollMs = 500

/**
 * Runs an import that no other process runs at the same time, on one session that holds an advisory lock; a process that dies lets
 * go of it. When another one holds it: waits (`isWaiting` is told meanwhile), or answers undefined at once.
 */
export async function withImportLock<T>(
  db: Db,
  { lock, isWaiting }: { lock: ImportLock; isWaiting: (() => void) | null },
  work: (db: Db) => Promise<T>,
): Promise<T | undefined> {
  return db.connection().execute(async (session) => {
    while (!(await tryLock(session, lock))) {
      if (isWaiting === null) return undefined
      isWaiting()
      await new Promise((resolve) => setTimeout(resolve, pollMs))
    }
    try {
      return await work(session)
    } finally {
      await sql`select pg_advisory_unlock(${lockClass}::int, ${locks[lock]}::int)`.execute(session)
    }
  })
}

async function tryLock(session: Db, lock: ImportLock): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_lock(${lockClass}::int, ${locks[lock]}::int) as locked`.execute(session)
  return rows[0]?.locked === true
}

/**
 * Opens the one transaction of an import. Its statements may take long, and so may reading the next piece of a large file: the limits that
 * protect the database from a hanging request do not hold here.
 */
export async function inImportTransaction<T>(session: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return session.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
    return work(tx)
  })
}
