import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { ServiceError } from '../../contract/errors.ts'
import type { Db } from '../../database/connection.ts'
import { networkOf, siteFactor, siteOf } from '../../platform/client-address.ts'
import { minuteMs } from '../../contract/durations.ts'
import { deliveredTo } from '../mailbox.ts'

/** The maximum of each kind in a period. */
type Bound = { subject: readonly string[]; limit: number; withinMs: number }

/** Clocks of several processes differ a little; a window opened later than that belongs to a clock that was set back. */
const clockSlackMs = minuteMs

/** Where a request for mail comes from: an address, or the network of an IPv6 one, and more loosely the site of that network. */
export function fromPlace(what: string, address: string, bound: Omit<Bound, 'subject'>): Bound[] {
  return [
    { ...bound, subject: [what, 'place', networkOf(address)] },
    { ...bound, subject: [what, 'site', siteOf(address)], limit: bound.limit * siteFactor },
  ]
}

/** To where mail would go, whether anybody of the service is there or not. */
export function toMailbox(what: string, email: string): readonly string[] {
  return [what, 'mailbox', deliveredTo(email)]
}

/**
 * Counts a request that would send mail, one statement for each limit, so that of any number of concurrent requests no more than the
 * limit pass. The count does not depend on whether an address is known. Codes: `rate_limited`.
 */
export async function takeMailRequest(db: Db, bounds: readonly Bound[], now: Date): Promise<void> {
  for (const bound of bounds) await takeOne(db, bound, now)
}

async function takeOne(db: Db, { subject, limit, withinMs }: Bound, now: Date): Promise<void> {
  const digest = createHash('sha256').update(JSON.stringify(subject)).digest()
  const endsAt = new Date(now.getTime() + withinMs)
  const latest = new Date(now.getTime() + clockSlackMs)
  const isOver = sql`(w.ends_at <= ${now} or w.window_started_at > ${latest})`
  const { rows } = await sql`
    insert into mail_request_window as w (subject, window_started_at, ends_at, requests)
    values (${digest}, ${now}, ${endsAt}, 1)
    on conflict (subject) do update set
      window_started_at = case when ${isOver} then excluded.window_started_at else w.window_started_at end,
      ends_at = case when ${isOver} then excluded.ends_at else w.ends_at end,
      requests = case when ${isOver} then 1 else w.requests + 1 end
    where ${isOver} or w.requests < ${limit}
    returning 1`.execute(db)
  if (rows.length > 0) return
  const window = await db
    .selectFrom('mail_request_window')
    .select('ends_at')
    .where('subject', '=', digest)
    .executeTakeFirst()
  const seconds = Math.ceil(((window?.ends_at ?? endsAt).getTime() - now.getTime()) / 1000)
  throw new ServiceError('rate_limited', {
    message: 'Too many messages were requested. Try again later.',
    retryAfterSeconds: Math.min(Math.max(1, seconds), withinMs / 1000),
  })
}

/** Scheduled. Index mail_request_window_ends. */
export async function forgetMailRequests(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('mail_request_window').where('ends_at', '<=', now).execute()
}
