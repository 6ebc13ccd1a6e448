import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../../database/connection.ts'

/**
 * Makes the server read rows one by one through indexes. Statistics know nothing of what an import's transaction has written: a planner
 * that remembers few ids scans the whole table for each record (80 s instead of one, measured).
 */
export async function byIndexes<T>(tx: Tx, read: () => Promise<T>): Promise<T> {
  await setOtherPlans(tx, sql`'off'`)
  const result = await read()
  await setOtherPlans(tx, sql`reset_val`)
  return result
}

/** Until the transaction ends; `reset_val` is what the session began with. */
async function setOtherPlans(tx: Tx, value: RawBuilder<unknown>): Promise<void> {
  await sql`
    select set_config(name, ${value}, true) from pg_settings
    where name in ('enable_seqscan', 'enable_hashjoin', 'enable_mergejoin')`.execute(tx)
}
