import { createHash, createHmac } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../database/connection.ts'
import { clockSkewMs } from '../../platform/clock.ts'
import { derivedKey } from '../../platform/sealing/derive-key.ts'
import type { KeyRing } from '../../platform/sealing/key-ring.ts'
import { dayMs, hourMs } from '../../contract/durations.ts'

/** The longest window of any subject. */
const maxMs = dayMs

/** What is counted, and who shares a count. Addresses are kept as keyed hashes only. */
export type HitSubject = readonly string[]

/** Since when a subject counts; without `withinMs` for an hour. */
type Window = { now: Date; withinMs?: number }

/** A window that opened clearly later than now belongs to a clock that was set back. */
function isOverAt({ now, withinMs = hourMs }: Window): RawBuilder<boolean> {
  const start = new Date(now.getTime() - withinMs)
  const latest = new Date(now.getTime() + clockSkewMs)
  return sql`(w.window_started_at <= ${start} or w.window_started_at > ${latest})`
}

/**
 * Counts one more in the window that opened with the first, in one statement for all processes. Answers how many there are, this one
 * included.
 */
export async function countHit(
  db: Db,
  ring: KeyRing | null,
  subject: HitSubject,
  window: Window,
): Promise<number> {
  const { now } = window
  const isOver = isOverAt(window)
  const { rows } = await sql<{ hits: number }>`
    insert into disclosure_window as w (subject, window_started_at, hits)
    values (${hashOf(ring, subject)}, ${now}::timestamptz, 1)
    on conflict (subject) do update set
      window_started_at = case when ${isOver} then excluded.window_started_at else w.window_started_at end,
      hits = case when ${isOver} then 1 else least(w.hits + 1, 1000000) end
    returning hits`.execute(db)
  return rows[0]?.hits ?? 1
}

/** How many there are, without one more. */
export async function readHits(
  db: Db,
  ring: KeyRing | null,
  subject: HitSubject,
  window: Window,
): Promise<number> {
  const { rows } = await sql<{ hits: number }>`
    select hits from disclosure_window w
    where subject = ${hashOf(ring, subject)} and not ${isOverAt(window)}`.execute(db)
  return rows[0]?.hits ?? 0
}

/** Scheduled: windows that are over count for nothing. */
export async function forgetHits(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('disclosure_window')
    .where('window_started_at', '<=', new Date(now.getTime() - maxMs))
    .execute()
}

/** Without a key, hashes that can be guessed are still better than addresses. */
function hashOf(ring: KeyRing | null, subject: HitSubject): Buffer {
  const text = JSON.stringify(subject)
  if (ring === null) return createHash('sha256').update(text).digest()
  return createHmac('sha256', derivedKey(ring, 'report places').key).update(text).digest()
}
