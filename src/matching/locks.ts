import { sql } from 'kysely'
import type { Tx } from '../database/connection.ts'
import { prepared } from '../platform/postgres/prepared.ts'

/** First key of the advisory locks of this room; PostgreSQL shares them between all users of the database, `findings` has the next. */
const lockClass = 7_301

/**
 * Package keys are locked by bucket, so that a run over many packages stays within the server's lock table. A run takes its
 * identities in bucket order, so each of its transactions holds a short stretch of them.
 */
const packageLockBuckets = 512

/** These locks are held for seconds at most; waiting a little longer than usual saves doing the work again. */
const lockTimeoutMs = 50_000

/** SQL for the bucket of a package key; the same everywhere, or two runs would not meet. */
export const bucketOf = (packageKey: string) =>
  sql<number>`(hashtext(${sql.ref(packageKey)}) & ${sql.lit(packageLockBuckets - 1)})`

/**
 * Waits until no other run writes results of these buckets. Statements after it see what the other run has committed, so an
 * older run never overwrites a newer one. Buckets are taken in ascending order everywhere.
 */
export async function lockPackages(tx: Tx, buckets: readonly number[]): Promise<void> {
  await waitLonger(tx)
  const ascending = [...new Set(buckets)].sort((a, b) => a - b)
  await sql`
    select pg_advisory_xact_lock(${lockClass}::int, bucket)
    from unnest(${ascending}::int[]) as bucket`.execute(tx)
}

/** Waits for locks a little longer than usual, for the rest of the transaction. */
export async function waitLonger(tx: Tx): Promise<void> {
  await sql`select ${longerWait} ${prepared}`.execute(tx)
}

/** The same in a select list, before the locks that wait. */
export const longerWait = sql`set_config('lock_timeout', ${sql.lit(`${lockTimeoutMs}ms`)}, true)`
