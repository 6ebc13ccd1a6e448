import { sql, type RawBuilder } from 'kysely'
import type { Db, Tx } from '../../database/connection.ts'
import type { Sealing } from '../../platform/sealing/sealing.ts'

/** What the operator's table says of a kind of data (docs/operating.md, "How long things are kept"). */
export type Kept = { what: string; kept: string }

/** When a removal happens, and the keys of what is sealed. */
export type Removal = { now: Date; sealing: Sealing }

/** Data that the schedule removes, declared by the room that owns it. */
export type RetentionRule = Kept & {
  /** The rows that have been kept long enough: `select … as id from … where …`, without order or limit. */
  over: (now: Date) => RawBuilder<{ id: string }>
  /** Removes these rows, or erases what they say, with what belongs to the act. They are locked. */
  remove: (tx: Tx, ids: readonly string[], removal: Removal) => Promise<void>
  /** Asked first in each transaction, where something else may be writing these tables for a long time; false leaves the rest to the next run. */
  isTurn?: (tx: Tx) => Promise<boolean>
  /** Locks what other acts lock before these rows. */
  lockFirst?: (tx: Tx, now: Date) => Promise<void>
}

/** Rows removed in one transaction, so that no other act waits for long. */
const atOnce = 200

/** How many rows have been kept long enough. */
export async function countOver(db: Db, rule: RetentionRule, now: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (${rule.over(now)}) o`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Removes what has been kept long enough, in small transactions. Locked rows wait for the next run; several processes may do it at the
 * same moment. Once `stopping` is aborted no further transaction starts. Returns how many rows there were.
 */
export async function removeOver(
  db: Db,
  rule: RetentionRule,
  { stopping, ...removal }: Removal & { stopping?: AbortSignal | undefined },
): Promise<number> {
  let removed = 0
  while (stopping?.aborted !== true) {
    const found = await db.transaction().execute(async (tx) => {
      if ((await rule.isTurn?.(tx)) === false) return 0
      await rule.lockFirst?.(tx, removal.now)
      const { rows } = await sql<{ id: string }>`
        ${rule.over(removal.now)} limit ${sql.lit(atOnce)} for update skip locked`.execute(tx)
      const ids = rows.map(({ id }) => id)
      if (ids.length > 0) await rule.remove(tx, ids, removal)
      return ids.length
    })
    removed += found
    if (found < atOnce) break
  }
  return removed
}
