import { createHash, createHmac } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../database/connection.ts'
import { clockSkewMs } from '../../platform/clock.ts'
import { derivedKey } from '../../platform/sealing/derive-key.ts'
import type { KeyRing } from '../../platform/sealing/key-ring.ts'
import { hourMs } from '../../contract/durations.ts'

const windowMs = hourMs

/** What is counted, and who shares a count. Addresses are kept as keyed hashes only. */
export type HitSubject = readonly string[]

/**
 * Counts one more in the window of an hour that opened with the first, in one statement for all processes. Answers how many there
 * are, this one included. A window that opened clearly later than now belongs to a clock that was set back.
 */
export async function countHit(
  db: Db,
  ring: KeyRing | null,
  subject: HitSubject,
  now: Date,
): Promise<number> {
  const start = new Date(now.getTime() - windowMs)
  const latest = new Date(now.getTime() + clockSkewMs)
  const isOver = sql`(w.window_started_at <= ${start} or w.window_started_at > ${latest})`
  const { rows } = await sql<{ hits: number }>`
    insert into disclosure_window as w (subject, window_started_at, hits)
    values (${hashOf(ring, subject)}, ${now}::timestamptz, 1)
    on conflict (subject) do update set
      window_started_at = case when ${isOver} then excluded.window_started_at else w.window_started_at end,
      hits = case when ${isOver} then 1 else least(w.hits + 1, 1000000) end
    returning hits`.execute(db)
  return rows[0]?.hits ?? 1
}

/** Scheduled: windows that are over count for nothing. */
export async function forgetHits(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('disclosure_window')
    .where('window_started_at', '<=', new Date(now.getTime() - windowMs))
    .execute()
}

/** Without a key, hashes that can be guessed are still better than addresses. */
function hashOf(ring: KeyRing | null, subject: HitSubject): Buffer {
  const text = JSON.stringify(subject)
  if (ring === null) return createHash('sha256').update(text).digest()
  return createHmac('sha256', derivedKey(ring, 'report places').key).update(text).digest()
}
