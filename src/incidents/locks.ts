import { sql } from 'kysely'
import type { Tx } from '../database/connection.ts'

/** First key of the advisory locks of this room, beside those of `matching` and `findings`. */
const lockClass = 7_310

/** Waits until no other transaction opens incidents of the workspace. Nobody waits for another lock of an opening while having it. */
export async function lockOpenings(tx: Tx, workspaceId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockClass}::int, hashtext(${workspaceId}))`.execute(tx)
}
