import { sql } from 'kysely'
import type { Db } from '../database/connection.ts'
import { leaseSeconds } from './claim.ts'
import type { Worker } from './run-next.ts'

const renewMs = 5_000

/** Renews the leases of the jobs under way. Returns what ends it. */
export function keepLeases(
  { db, name, log }: Pick<Worker, 'db' | 'name' | 'log'>,
  running: ReadonlySet<number>,
): () => void {
  const renewing = setInterval(() => {
    void renewLeases(db, name, [...running]).catch((error: unknown) =>
      log.error({ err: error }, 'leases could not be kept'),
    )
  }, renewMs)
  return () => clearInterval(renewing)
}

/**
 * Keeps the leases of the jobs a worker is running; call it well within the lease. Jobs that it holds without knowing, because the
 * answer to its claim or the end of the job was lost with a session, fall due again.
 */
export async function renewLeases(db: Db, worker: string, jobs: readonly number[]): Promise<void> {
  if (jobs.length === 0) return
  await sql`update job set leased_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
    where state = 'running' and leased_by = ${worker} and id = any(${[...jobs]}::bigint[])`.execute(db)
}
