import { sql, type QueryCreator, type RawBuilder } from 'kysely'
import type { Tx } from '../database/connection.ts'
import type { Tables } from '../database/tables.ts'
import { jobKinds, togetherBy, type JobKind, type JobPayload } from '../jobs.ts'
import { chunksOf } from '../platform/postgres/columns.ts'
import { prepared } from '../platform/postgres/prepared.ts'

/** The installation, where a job belongs to no workspace. */
export const installation = '00000000-0000-0000-0000-000000000000'

/** Below the number of parameters that a statement may have. */
const jobsAtOnce = 1_000

export type NewJob<K extends JobKind> = {
  kind: K
  payload: JobPayload[K]
  /** Product time from which the job is due. None is enqueued for later: deadlines are rows that schedules compare. */
  runAt: Date
  /** At most one job of a kind and key waits; enqueueing it a second time adds what the payload says more, and nothing else. */
  key?: string
  /** Whose turn the job takes: workspaces are served in turn, however many jobs each has. */
  workspaceId?: string
}

/** Enqueues background work in the transaction of the change, so that the job exists exactly when the change does. */
export async function enqueue<K extends JobKind>(tx: Tx, job: NewJob<K>): Promise<void> {
  await insertOfJob(tx, job).modifyEnd(prepared).execute()
}

/** As `enqueue`, for many jobs in few statements; no two have the same key. */
export async function enqueueAll<K extends JobKind>(tx: Tx, jobs: readonly NewJob<K>[]): Promise<void> {
  for (const some of chunksOf(jobs, jobsAtOnce)) await insertOfJobs(tx, some).execute()
}

/** The same as part of a longer statement: a common table expression. Workers are told when the transaction ends. */
export function insertOfJob<K extends JobKind>(db: QueryCreator<Tables>, job: NewJob<K>) {
  return insertOfJobs(db, [job])
}

function insertOfJobs<K extends JobKind>(db: QueryCreator<Tables>, jobs: readonly NewJob<K>[]) {
  return db
    .insertInto('job')
    .values(
      jobs.map((job) => ({
        kind: job.kind,
        key: job.key ?? null,
        workspace_id: job.workspaceId ?? installation,
        payload: JSON.stringify(job.payload),
        state: 'waiting',
        run_at: job.runAt,
        created_at: job.runAt,
        max_attempts: jobKinds[job.kind].attempts,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'key'])
        // a plan without values must still see that this is the condition of the index
        .where('state', '=', sql.lit('waiting'))
        .where('key', 'is not', null)
        // locks the waiting job, so that no worker takes it before this transaction's change can be seen
        .doUpdateSet((set) => ({
          run_at: set.fn<Date>('least', ['job.run_at', 'excluded.run_at']),
          payload: sql`job.payload || excluded.payload`,
        })),
    )
    .returning(tellWorkers(jobs[0]?.kind).as('told'))
}

const told = sql<string>`pg_notify('job', '')::text`

/**
 * Nobody is told of a job that is done together with others while its part of the workspace is at work: it waits for the end of that run,
 * after which its worker asks again. One that is committed in just that moment is found by polling.
 */
function tellWorkers(kind: JobKind | undefined): RawBuilder<string | null> {
  const part = kind === undefined ? undefined : togetherBy(kind)
  if (part === undefined) return told
  return sql`case when exists (
    select from job r
    where r.state = 'running' and r.kind = job.kind and r.workspace_id = job.workspace_id
      and r.payload->>${sql.lit(part)} = job.payload->>${sql.lit(part)}
  ) then null else ${told} end`
}
