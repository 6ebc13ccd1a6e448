import type { Db, Tx } from '../../database/connection.ts'
import { retrySerialization } from '../postgres/pool.ts'

/**
 * Does an act in a transaction of its own, and repeats all of it, up to three times, when PostgreSQL cancelled it in favour of another: acts on the
 * same thing may deadlock. An attempt may leave traces only in the database.
 */
export function transact<T>(db: Db, act: (tx: Tx) => Promise<T>): Promise<T> {
  return retrySerialization(() => db.transaction().execute(act))
}
