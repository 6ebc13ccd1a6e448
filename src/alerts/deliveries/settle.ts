import { sql } from 'kysely'
import type { Db } from '../../database/connection.ts'
import { prepared } from '../../platform/postgres/prepared.ts'
import { isStoreAway } from '../../platform/postgres/store-away.ts'
import type { ClaimedDelivery } from './claim.ts'
import type { Outcome } from './outcome.ts'

export type Post = Outcome & { sentAt: Date; durationMs: number }

/**
 * Records how a post ended, in the history and at its destination; a recorded result is never sent again. A lease that has run out changes
 * nothing as long as no other attempt has begun.
 */
export async function recordPost(
  db: Db,
  { id, destination_id: destinationId, attempts }: ClaimedDelivery,
  { isSent, status, reason, sentAt, durationMs }: Post,
): Promise<void> {
  await sql`
    with done as (
      update alert_delivery set state = ${isSent ? 'sent' : 'failed'}, sent_at = ${sentAt}, duration_ms = ${durationMs},
        status = ${status}, reason = ${reason}, leased_until = null
      where id = ${id} and state in ('sending', 'pending') and attempts = ${attempts}
      returning destination_id
    )
    update alert_destination t set last_delivery_at = ${sentAt}, last_error = ${reason}
    from done
    where t.id = ${destinationId} and done.destination_id = t.id
      and (t.last_delivery_at is null or t.last_delivery_at <= ${sentAt})
    ${prepared}`.execute(db)
}

/** No delivery and no problem: only the history says why. */
export async function recordNotSent(
  db: Db,
  { id, attempts }: Pick<ClaimedDelivery, 'id' | 'attempts'>,
  reason: string,
): Promise<void> {
  await sql`update alert_delivery set state = 'not_sent', reason = ${reason}, leased_until = null
    where id = ${id} and state in ('sending', 'pending') and attempts = ${attempts} ${prepared}`.execute(db)
}

const patienceMs = 60_000
const pauseMs = 100

/**
 * Does `record` again until the database takes it: what has been sent must not be forgotten because the database was away for a moment, or it
 * would be sent twice. Gives up after a minute or when `givingUp` fires, with the database's last error.
 */
export async function recordUntilStored(record: () => Promise<void>, givingUp: AbortSignal): Promise<void> {
  const until = performance.now() + patienceMs
  for (;;) {
    try {
      await record()
      return
    } catch (error) {
      if (!isStoreAway(error) || givingUp.aborted || performance.now() > until) throw error
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
}

/** One delivery and one repeat after a crash. */
const mostAttempts = 2

/**
 * Deliveries of processes that died while they sent them wait again, once, with the same id; a second time they have failed. Returns how
 * many wait.
 */
export async function recoverDeliveries(db: Db, now: Date): Promise<number> {
  const reason = 'the service ended twice while it was sending this'
  await sql`
    with failed as (
      update alert_delivery set state = 'failed', reason = ${reason}, sent_at = ${now}, leased_until = null
      where state = 'sending' and leased_until < clock_timestamp() and attempts >= ${sql.lit(mostAttempts)}
      returning destination_id
    )
    update alert_destination t set last_delivery_at = ${now}, last_error = ${reason}
    from failed where t.id = failed.destination_id`.execute(db)
  const { numAffectedRows = 0n } = await sql`
    update alert_delivery set state = 'pending', leased_until = null, leased_by = null
    where state = 'sending' and leased_until < clock_timestamp() and attempts < ${sql.lit(mostAttempts)}`.execute(
    db,
  )
  return Number(numAffectedRows)
}
