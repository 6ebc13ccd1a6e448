import { sql } from 'kysely'
import type { Db } from '../../database/connection.ts'
import { jobKinds, togetherBy, type JobKind } from '../../jobs.ts'
import { prepared } from '../postgres/prepared.ts'
import { runsAlone } from './lost-runs.ts'
import { latestRunAt } from './retry-pause.ts'

export type ClaimedJob = {
  id: number
  kind: JobKind
  payload: unknown
  /** This run included. */
  attempts: number
  maxAttempts: number
  /** It has failed before. */
  isAlone: boolean
}

/** Real time a worker holds a job without renewing; a killed worker's job runs again within this and one sweep. */
export const leaseSeconds = 20

type Claim = {
  /** Product time. */
  now: Date
  worker: string
  /** Kinds this worker does not take. */
  except: JobKind[]
  /** Takes jobs that wait for a retry at once. */
  ignoreBackoff: boolean
}

/**
 * Takes the next due job: of the workspaces with the fewest running jobs first, then the one due longest. A job whose kind and
 * key are running elsewhere waits, and so does one of a kind that is done together while its part of the workspace is at work: those that
 * arrive meanwhile are the next run. Workspaces are found by walking the index job_waiting from one to the next, so that a
 * thousand jobs of one workspace cost nothing to the others.
 */
export async function claimJob(db: Db, claim: Claim): Promise<ClaimedJob | undefined> {
  const result = await sql<ClaimedJob>`
    with recursive workspace_waiting(id) as (
      (select workspace_id from job where state = 'waiting' order by workspace_id limit 1)
      union all
      select (select j.workspace_id from job j where j.state = 'waiting' and j.workspace_id > w.id
        order by j.workspace_id limit 1)
      from workspace_waiting w where w.id is not null
    ), turn as (
      select w.id, (select count(*) from job r where r.state = 'running' and r.workspace_id = w.id) as running,
        (select min(run_at) from job j where j.state = 'waiting' and j.workspace_id = w.id) as first_due
      from workspace_waiting w where w.id is not null
      order by running, first_due
    )
    update job set state = 'running', attempts = attempts + 1, leased_by = ${claim.worker},
      leased_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
    where id = (
      select due.id from turn cross join lateral (
        select j.id from job j
        where j.state = 'waiting' and j.workspace_id = turn.id
          and (j.run_at <= ${claim.now} or (${claim.ignoreBackoff} and j.attempts > 0)
            or j.run_at > ${latestRunAt(claim.now)})
          and j.kind <> all(${claim.except}::text[])
          and (j.key is null or not exists (
            select from job r where r.state = 'running' and r.kind = j.kind and r.key = j.key))
          and ${isPartFree}
        order by j.run_at, j.id limit 1 for update skip locked
      ) due limit 1
    )
    returning id, kind, payload, attempts, max_attempts as "maxAttempts",
      ${runsAlone(sql`attempts - 1`, sql`last_error`)} as "isAlone"
    ${prepared}`.execute(db)
  return result.rows[0]
}

/** Whether no other job runs on what the job `j` would be done together on (`together` in jobs.ts). */
const isPartFree = sql.join(
  (Object.keys(jobKinds) as JobKind[]).flatMap((kind) => {
    const part = togetherBy(kind)
    if (part === undefined) return []
    return sql`not (j.kind = ${sql.lit(kind)} and exists (
      select from job r
      where r.state = 'running' and r.kind = j.kind and r.workspace_id = j.workspace_id
        and r.payload->>${sql.lit(part)} = j.payload->>${sql.lit(part)}))`
  }),
  sql` and `,
)

/**
 * Keeps the leases of the jobs a worker is running; call it well within the lease. Jobs that it holds without knowing, because the
 * answer to its claim or the end of the job was lost with a session, fall due again.
 */
export async function renewLeases(db: Db, worker: string, jobs: readonly number[]): Promise<void> {
  if (jobs.length === 0) return
  await sql`update job set leased_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
    where state = 'running' and leased_by = ${worker} and id = any(${[...jobs]}::bigint[])`.execute(db)
}
