import { sql } from 'kysely'
import type { Db } from '../database/connection.ts'
import { alongBy, togetherBy } from '../jobs.ts'
import { prepared } from '../platform/postgres/prepared.ts'
import { leaseSeconds, type ClaimedJob } from './claim.ts'
import { runsAlone } from './lost-runs.ts'

/** Together with the first; a run stays short enough for the other workers of the workspace to get their turn. */
const maxBeside = 24
/** Where other lanes could do them at the same time, and one may take long. */
const maxAlong = 7
/** The maximum of waiting jobs of the workspace that are examined, the next ones first: its queue may be thousands long. */
const maxLookedAt = 500

/**
 * Takes the waiting jobs that can be done in one run with a claimed one: those of its kind on the same part of its workspace (`together`
 * in jobs.ts), or are taken along by it (`along`). A job that has failed before runs alone, so that a hopeless one delays no other.
 */
export async function claimBeside(
  db: Db,
  job: ClaimedJob,
  { now, worker }: { now: Date; worker: string },
): Promise<ClaimedJob[]> {
  const together = partOf(job)
  const part = together ?? fieldOf(job, alongBy(job.kind))
  if (part === undefined || job.isAlone) return []
  const { rows } = await sql<ClaimedJob>`
    update job set state = 'running', attempts = attempts + 1, leased_by = ${worker},
      leased_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
    where id in (
      select j.id from job j
      where j.id = any(array(
          select n.id
          from (
            select w.id, w.kind, w.payload, w.attempts, w.last_error
            from job w
            where w.state = 'waiting' and w.workspace_id = (select workspace_id from job where id = ${job.id})
              and w.run_at <= ${now}
            order by w.run_at, w.id limit ${sql.lit(maxLookedAt)}
          ) n
          where n.kind = ${job.kind} and not ${runsAlone(sql`n.attempts`, sql`n.last_error`)} and n.payload->>${part.name}::text = ${part.value}
          limit ${sql.lit(together === undefined ? maxAlong : maxBeside)}
        ))
        and j.state = 'waiting'
        and (j.key is null or not exists (
          select from job r where r.state = 'running' and r.kind = j.kind and r.key = j.key))
      order by j.id for update skip locked
    )
    returning id, kind, payload, attempts, max_attempts as "maxAttempts", false as "isAlone"
    ${prepared}`.execute(db)
  return rows.sort((a, b) => a.id - b.id)
}

/** What the job would be done together with others on; undefined: it is done alone. */
export function partOf(job: ClaimedJob): Part | undefined {
  return fieldOf(job, togetherBy(job.kind))
}

type Part = { name: string; value: string }

function fieldOf({ payload }: ClaimedJob, name: string | undefined): Part | undefined {
  if (name === undefined || typeof payload !== 'object' || payload === null) return undefined
  const value: unknown = (payload as Record<string, unknown>)[name]
  return typeof value === 'string' ? { name, value } : undefined
}
