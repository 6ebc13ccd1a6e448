import { sql, type RawBuilder } from 'kysely'
import type { Db, Tx } from '../database/connection.ts'
import type { JobKind } from '../jobs.ts'
import { errorWithoutContent } from '../platform/redact.ts'

export type FailedJob = {
  id: number
  kind: JobKind
  /** null: of the installation, or of a workspace that is gone. */
  workspace: string | null
  attempts: number
  failedAt: string | null
  error: string | null
}

const listed = 100

/** The failed jobs, the newest first, at most a hundred, without what they are about. Index job_failed. */
export async function listFailedJobs(
  db: Db,
  { kind }: { kind?: JobKind } = {},
): Promise<{ failed: number; jobs: FailedJob[] }> {
  const ofKind = kind === undefined ? sql`` : sql`and j.kind = ${kind}`
  const { rows } = await sql<Omit<FailedJob, 'failedAt'> & { failedAt: Date | null; total: number }>`
    select j.id, j.kind, w.slug as workspace, j.attempts, j.failed_at as "failedAt", j.last_error as error, count(*) over () as total
    from job j left join workspace w on w.id = j.workspace_id
    where j.state = 'failed' ${ofKind}
    order by j.failed_at desc nulls last, j.id desc limit ${sql.lit(listed)}`.execute(db)
  const jobs = rows.map(({ total: _total, failedAt, error, ...job }) => ({
    ...job,
    error: error === null ? null : errorWithoutContent(error),
    failedAt: failedAt?.toISOString() ?? null,
  }))
  return { failed: rows[0]?.total ?? 0, jobs }
}

/** Which failed jobs: all of them, those of a kind, or some by their ids, if all of these have failed. */
export type Retried = { kind: JobKind } | { ids: readonly number[] } | 'all'

/** How many jobs wait now; `notFailed`: none, because no failed job has this id. */
export type Retrial = { waiting: number; notFailed: number | null }

/**
 * Lets failed jobs run again with all their attempts. One that waits already under the same key does the work of both: the failed one
 * goes.
 */
export async function retryFailedJobs(tx: Tx, which: Retried, now: Date): Promise<Retrial> {
  const { rows } = await sql<{ id: number; kind: string; key: string | null }>`
    select id, kind, key from job where state = 'failed' and ${chosen(which)} order by id for update skip locked`.execute(
    tx,
  )
  const ids = which !== 'all' && 'ids' in which ? which.ids : []
  const notFailed = ids.find((id) => !rows.some((row) => row.id === id)) ?? null
  if (notFailed !== null) return { waiting: 0, notFailed }
  let waiting = 0
  for (const { id, kind, key } of rows) {
    const twin = await sql`
      update job set payload = f.payload || job.payload from (select payload from job where id = ${id}) f
      where state = 'waiting' and kind = ${kind} and key = ${key} returning job.id`.execute(tx)
    if (twin.rows.length > 0) await sql`delete from job where id = ${id}`.execute(tx)
    else {
      await sql`
        update job set state = 'waiting', attempts = 0, run_at = ${now}, leased_by = null, leased_until = null, failed_at = null
        where id = ${id}`.execute(tx)
      waiting += 1
    }
  }
  return { waiting, notFailed }
}

function chosen(which: Retried): RawBuilder<boolean> {
  if (which === 'all') return sql<boolean>`true`
  if ('kind' in which) return sql<boolean>`kind = ${which.kind}`
  return sql<boolean>`id = any(${[...which.ids]}::bigint[])`
}
