import { sql } from 'kysely'
import type { Db } from '../database/connection.ts'
import type { JobKind } from '../jobs.ts'
import { leaseSeconds, type ClaimedJob } from './claim.ts'
import { cutLeasesOfLaterClock } from './lease.ts'
import { asynchronousCommit } from '../platform/postgres/asynchronous-commit.ts'
import { prepared } from '../platform/postgres/prepared.ts'
import { isOfKnownKind } from './known-kinds.ts'
import { describeLostSession, processEnded } from './lost-runs.ts'
import { retryPauseMs } from './retry-pause.ts'

/**
 * Removes finished jobs from the queue, except those that another worker has taken over meanwhile. The commit is asynchronous: a job
 * that a crash brings back runs again and changes nothing, and its effects were written before.
 */
export async function completeJobs(db: Db, jobs: readonly ClaimedJob[], worker: string): Promise<void> {
  const ids = jobs.map(({ id }) => id)
  await sql`
    with gone as (
      delete from job where id = any(${ids}::bigint[]) and state = 'running' and leased_by = ${worker}
    )
    select ${asynchronousCommit} ${prepared}`.execute(db)
}

type Failure = { worker: string; message: string; now: Date }

/** Puts a failed job back with growing delay, or keeps it as failed after its last attempt. Returns whether it was the last. */
export async function failJob(db: Db, job: ClaimedJob, { worker, message, now }: Failure): Promise<boolean> {
  const isLast = job.attempts >= job.maxAttempts
  const text = message.slice(0, 2000)
  if (isLast) {
    await sql`update job set state = 'failed', failed_at = ${now}, last_error = ${text}, leased_until = null
      where id = ${job.id} and state = 'running' and leased_by = ${worker}`.execute(db)
    return true
  }
  const runAt = new Date(now.getTime() + retryPauseMs(job.attempts))
  await putBack(db, sql`id = ${job.id} and state = 'running' and leased_by = ${worker}`, { runAt, text })
  return false
}

/** Long enough for a database with a thousand such jobs, and within what `latestRunAt` takes for a job that has not failed. */
const busyPauseMs = 30_000

/** Puts a job back for which the store could do nothing, to run again after a pause. That is not the job's failure, however often it happens. */
export async function postponeJob(db: Db, job: ClaimedJob, { worker, message, now }: Failure): Promise<void> {
  const runAt = new Date(now.getTime() + busyPauseMs)
  const held = sql`id = ${job.id} and state = 'running' and leased_by = ${worker}`
  await putBack(db, held, { runAt, text: message.slice(0, 2000), uncounted: 1 })
}

/** A job that will not run again; those who wait for it must be told. */
export type AbandonedJob = { kind: JobKind; payload: unknown; reason: string }

/**
 * Puts a job back whose session with the database was lost, to run again at once: that is not the job's failure. One that loses it every
 * time is kept as failed in the end, as those of killed workers are. Returns those kept as failed.
 */
export async function returnJob(
  db: Db,
  job: ClaimedJob,
  { worker, message }: { worker: string; message: string },
): Promise<AbandonedJob[]> {
  const held = sql`id = ${job.id} and state = 'running' and leased_by = ${worker}`
  const abandoned = await failExhausted(db, held, message)
  await putBack(db, held, { runAt: null, text: describeLostSession(message).slice(0, 2000) })
  return abandoned
}

/** Gives running jobs back untouched, for a worker that stops. */
export async function releaseJobs(db: Db, worker: string): Promise<void> {
  await putBack(db, sql`state = 'running' and leased_by = ${worker}`, { runAt: null, text: null })
}

/** Puts jobs of killed workers back: those whose lease has ended in real time. Returns those kept as failed instead. */
export async function recoverJobs(db: Db): Promise<AbandonedJob[]> {
  await cutLeasesOfLaterClock(db, { table: 'job', state: 'running', seconds: leaseSeconds })
  const orphaned = sql`state = 'running' and leased_until < clock_timestamp() and ${isOfKnownKind(sql`kind`)}`
  const abandoned = await failExhausted(db, orphaned, processEnded)
  await putBack(db, orphaned, { runAt: null, text: processEnded })
  return abandoned
}

/** A job that kills its process or session every time does not run for ever: it may lose two runs more than its attempts. */
async function failExhausted(
  db: Db,
  condition: ReturnType<typeof sql>,
  text: string,
): Promise<AbandonedJob[]> {
  const reason = text.slice(0, 2000)
  const { rows } = await sql<{ kind: JobKind; payload: unknown }>`
    update job set state = 'failed', failed_at = clock_timestamp(), last_error = ${reason}, leased_until = null
    where ${condition} and attempts >= max_attempts + 2 returning kind, payload`.execute(db)
  return rows.map((row) => ({ ...row, reason }))
}

/**
 * Where an equal job waits already, it does what the one put back was to do as well (`enqueue`). Locked, it is still waiting. `uncounted`: runs that were no
 * attempts.
 */
async function putBack(
  db: Db,
  condition: ReturnType<typeof sql>,
  { runAt, text, uncounted = 0 }: { runAt: Date | null; text: string | null; uncounted?: number },
): Promise<void> {
  await sql`
    with back as materialized (
      select id, kind, key, payload from job where ${condition} for update skip locked
    ), twin as materialized (
      select w.id, back.id as back_id, back.payload from job w join back on back.kind = w.kind and back.key = w.key
      where w.state = 'waiting' order by w.id for update of w
    ), gone as (
      delete from job using twin where job.id = twin.back_id
    ), left_to as (
      update job set payload = twin.payload || job.payload from twin where job.id = twin.id
    )
    update job set state = 'waiting', leased_until = null, leased_by = null, attempts = job.attempts - ${uncounted}::int,
      run_at = coalesce(${runAt}::timestamptz, run_at), last_error = coalesce(${text}, last_error)
    from back where job.id = back.id and not exists (select from twin where twin.back_id = back.id)`.execute(
    db,
  )
}
