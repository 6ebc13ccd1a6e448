import type { Db, Tx } from '../../database/connection.ts'
import { retrySerialization } from '../postgres/pool.ts'

/**
 * Does an act in a transaction of its own, and all of it again, up to three times, when PostgreSQL gave it up for the sake of another one: what people
 * do at the same time to one thing may wait for each other. Nothing but the database may remember that it was tried.
 */
export function transact<T>(db: Db, act: (tx: Tx) => Promise<T>): Promise<T> {
  return retrySerialization(() => db.transaction().execute(act))
}
