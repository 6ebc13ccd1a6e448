import { sql } from 'kysely'
import { dayMs, hourMs } from '../../contract/durations.ts'
import type { Db } from '../../database/connection.ts'
import type { UnreadDocument } from '../reading/record-import.ts'

/**
 * Files that could not be had or read, of a source with many: they keep no other from its turn. The row of the source fails until all are read
 * (attempt.ts), and each is asked for again, ever more rarely.
 */

/** `redhat-vex`, `osv:npm`; for how long a file is left alone after its first failure. */
export type Reader = { source: string; now: Date; leftForMs?: number }

const maxLeftMs = 7 * dayMs

export async function noteUnread(
  db: Db,
  { source, now, leftForMs = hourMs }: Reader,
  unread: readonly UnreadDocument[],
): Promise<void> {
  const reasons = new Map(unread.map(({ name, reason }) => [name, reason.slice(0, 1_000)]))
  if (reasons.size === 0) return
  const again = (failures: ReturnType<typeof sql>) => sql`${now}::timestamptz
    + make_interval(secs => least(${maxLeftMs}, ${leftForMs} * 2 ^ least(${failures}, 20)) / 1000)`
  await sql`
    insert into unread_file as f (source, file, reason, first_failed_at, last_failed_at, ask_again_at)
    select ${source}, u.file, u.reason, ${now}::timestamptz, ${now}::timestamptz, ${again(sql`0`)}
    from unnest(${[...reasons.keys()]}::text[], ${[...reasons.values()]}::text[]) as u (file, reason)
    order by u.file
    on conflict (source, file) do update set
      reason = excluded.reason,
      failures = f.failures + 1,
      last_failed_at = excluded.last_failed_at,
      ask_again_at = ${again(sql`f.failures`)}`.execute(db)
}

export type UnreadFile = { reason: string; firstFailedAt: Date; lastFailedAt: Date; askAgainAt: Date }

/** By name, the longest unread first. */
export async function selectUnread(db: Db, source: string): Promise<Map<string, UnreadFile>> {
  const rows = await db
    .selectFrom('unread_file')
    .select([
      'file',
      'reason',
      'first_failed_at as firstFailedAt',
      'last_failed_at as lastFailedAt',
      'ask_again_at as askAgainAt',
    ])
    .where('source', '=', source)
    .orderBy('first_failed_at')
    .orderBy('file')
    .execute()
  return new Map(rows.map(({ file, ...unread }) => [file, unread]))
}

/** They were read, or are not wanted any more. */
export async function forgetUnread(db: Db, source: string, files: readonly string[]): Promise<void> {
  if (files.length === 0) return
  await sql`delete from unread_file where source = ${source} and file = any(${files}::text[])`.execute(db)
}

type Wanted = { name: string; changedAt: Date }

/**
 * Which of the wanted files to ask for: those that never failed as they are now, and those that did and are due. Forgets what is not wanted any
 * more. One that failed in this very turn, among others, may be read by itself.
 */
export async function selectAsked<T>(
  db: Db,
  { source, now }: Reader,
  wanted: readonly T[],
  read: (one: T) => Wanted,
): Promise<{ fresh: T[]; again: T[] }> {
  const unread = await selectUnread(db, source)
  const names = new Set(wanted.map((one) => read(one).name))
  await forgetUnread(
    db,
    source,
    [...unread.keys()].filter((file) => !names.has(file)),
  )
  const failureOf = (one: T) => {
    const { name, changedAt } = read(one)
    const failed = unread.get(name)
    return failed !== undefined && failed.lastFailedAt < now && failed.lastFailedAt >= changedAt
      ? failed
      : null
  }
  const isDue = (one: T) => {
    const failed = failureOf(one)
    return failed !== null && failed.askAgainAt <= now
  }
  return { fresh: wanted.filter((one) => failureOf(one) === null), again: wanted.filter(isDue) }
}

/** Whether one is to be asked for again. */
export async function isUnreadDue(db: Db, source: string, now: Date): Promise<boolean> {
  return [...(await selectUnread(db, source)).values()].some(({ askAgainAt }) => askAgainAt <= now)
}

/** For the row of the source; null: all were read. */
export async function describeUnread(
  db: Db,
  source: string,
): Promise<{ message: string; since: Date } | null> {
  const unread = await selectUnread(db, source)
  const [first] = unread.values()
  if (first === undefined) return null
  const others = unread.size - 1
  const more =
    others === 0 ? '' : ` (and ${others} more ${others === 1 ? 'file' : 'files'} that could not be read)`
  return { message: `${first.reason}${more}; asked for again later`, since: first.firstFailedAt }
}
