import { sql } from 'kysely'
import type { Tx } from '../../database/connection.ts'

/**
 * Reads rows one by one by their indexes, whatever the planner would choose. Statistics know nothing of what an import's transaction has
 * written: a planner that remembers a store of few ids reads the whole table for each record (80 s instead of one, measured).
 */
export async function byIndexes<T>(tx: Tx, read: () => Promise<T>): Promise<T> {
  await setOtherPlans(tx, 'off')
  const result = await read()
  await setOtherPlans(tx, 'on')
  return result
}

async function setOtherPlans(tx: Tx, value: 'on' | 'off'): Promise<void> {
  await sql`
    select set_config('enable_seqscan', ${value}, true), set_config('enable_hashjoin', ${value}, true),
      set_config('enable_mergejoin', ${value}, true)`.execute(tx)
}
