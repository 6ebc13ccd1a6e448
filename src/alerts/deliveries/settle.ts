import { sql } from 'kysely'
import type { Db } from '../../database/connection.ts'
import { cutLeasesOfLaterClock, isGivenUp, neverBegun, stoppedTwice } from '../../queue/lease.ts'
import { prepared } from '../../platform/postgres/prepared.ts'
import { leaseSeconds } from './claim.ts'
import type { Outcome } from './outcome.ts'

export type Post = Outcome & { sentAt: Date; durationMs: number }

/** What became of a delivery. `not_sent` is no problem: only the history says why. */
export type Done = { kind: 'not_sent'; reason: string } | ({ kind: 'posted' } & Post)

/** Of a delivery: the newest one has its number of attempts. */
export type Attempt = { id: string; attempts: number }

export type Ended = Attempt & { done: Done }

/**
 * Records the outcome of attempts, in the history and at their destinations; a delivery with a result is never sent again. An expired
 * lease changes nothing as long as no other attempt has begun. A destination shows what was sent last; what is later than now was sent before
 * the clock was set back. Rows are locked in a fixed order, so that processes that record at the
 * same moment do not deadlock.
 */
export async function recordEnded(db: Db, ended: readonly Ended[], now: Date): Promise<void> {
  const rows = ended.map(({ id, attempts, done }) => ({ id, attempts, ...columnsOf(done) }))
  await sql`
    with ended as materialized (
      select * from unnest(
        ${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ attempts }) => attempts)}::smallint[],
        ${rows.map(({ state }) => state)}::text[], ${rows.map(({ sentAt }) => sentAt)}::timestamptz[],
        ${rows.map(({ durationMs }) => durationMs)}::integer[], ${rows.map(({ status }) => status)}::smallint[],
        ${rows.map(({ reason }) => reason)}::text[]
      ) e(id, attempts, state, sent_at, duration_ms, status, reason)
    ), locked as (
      select d.id from alert_delivery d join ended e on e.id = d.id and e.attempts = d.attempts
      where d.state in ('sending', 'pending') or (d.state = 'failed' and ${isGivenUp(sql`d.reason`)})
      order by d.id for no key update of d
    ), done as (
      update alert_delivery d set state = e.state, sent_at = e.sent_at, duration_ms = e.duration_ms, status = e.status,
        reason = e.reason, leased_until = null
      from locked, ended e
      where d.id = locked.id and e.id = d.id
      returning d.destination_id, d.state, d.sent_at, d.reason
    ), newest as (
      select distinct on (destination_id) destination_id, sent_at, reason from done
      where state <> 'not_sent' order by destination_id, sent_at desc
    ), target as (
      select t.id from alert_destination t join newest n on n.destination_id = t.id order by t.id for no key update of t
    )
    update alert_destination t set last_delivery_at = n.sent_at, last_error = n.reason
    from target, newest n
    where t.id = target.id and n.destination_id = t.id
      and (t.last_delivery_at is null or t.last_delivery_at <= n.sent_at or t.last_delivery_at > ${now} or ${isGivenUp(sql`t.last_error`)})
    ${prepared}`.execute(db)
}

function columnsOf(done: Done) {
  if (done.kind === 'not_sent') {
    return { state: 'not_sent', sentAt: null, durationMs: null, status: null, reason: done.reason }
  }
  const { isSent, sentAt, durationMs, status, reason } = done
  return { state: isSent ? 'sent' : 'failed', sentAt, durationMs, status, reason }
}

/** One delivery and one repeat after a crash. */
const maxBegun = 2
/** Otherwise a message that kills the process before it is sent would be claimed for ever. */
const maxAttempts = 20

const isUsedUp = sql<boolean>`(begun >= ${sql.lit(maxBegun)} or attempts >= ${sql.lit(maxAttempts)})`

/**
 * Whether the process that has a delivery is dead: it did not renew its lease. While the database was away nobody could, so everyone gets
 * the time of one lease after it starts. A start that is still to come was before the clock was set back.
 */
const isAbandoned = sql<boolean>`(state = 'sending' and leased_until < clock_timestamp()
  and pg_postmaster_start_time() not between clock_timestamp() - make_interval(secs => ${sql.lit(leaseSeconds)}) and clock_timestamp())`

/**
 * Requeues deliveries of processes that died, with the same id. Those that a receiver may have seen are repeated once; a second time they
 * fail. Returns how many were requeued.
 */
export async function recoverDeliveries(db: Db, now: Date): Promise<number> {
  await cutLeasesOfLaterClock(db, { table: 'alert_delivery', state: 'sending', seconds: leaseSeconds })
  await sql`
    with locked as (
      select id from alert_delivery where ${isAbandoned} and ${isUsedUp}
      order by id for no key update skip locked
    ), failed as (
      update alert_delivery d set state = 'failed', sent_at = ${now}, leased_until = null,
        reason = case when begun >= ${sql.lit(maxBegun)} then ${stoppedTwice} else ${neverBegun} end
      from locked where d.id = locked.id
      returning d.destination_id, d.reason
    ), told as (
      select destination_id, min(reason) as reason from failed group by destination_id
    ), target as (
      select t.id from alert_destination t where t.id in (select destination_id from told) order by t.id for no key update
    )
    update alert_destination t set last_delivery_at = ${now}, last_error = told.reason
    from target, told where t.id = target.id and told.destination_id = t.id`.execute(db)
  const { numAffectedRows = 0n } = await sql`
    with locked as (
      select id from alert_delivery where ${isAbandoned} and not ${isUsedUp}
      order by id for no key update skip locked
    )
    update alert_delivery d set state = 'pending', leased_until = null, leased_by = null
    from locked where d.id = locked.id`.execute(db)
  return Number(numAffectedRows)
}
