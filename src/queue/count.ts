import { knownKeys } from '../contract/known-keys.ts'
import { sql } from 'kysely'
import type { Db } from '../database/connection.ts'
import { jobKinds, type JobKind } from '../jobs.ts'

export type KindCounts = {
  kind: JobKind
  waiting: number
  running: number
  /** Failed jobs stay until somebody has looked at them. */
  failed: number
  /** Product time of the enqueuing; null when none waits. */
  oldestWaitingAt: Date | null
}

/** The state of the queue, one row for each kind, also of kinds without a job. */
export async function countJobs(db: Db): Promise<KindCounts[]> {
  const { rows } = await sql<KindCounts>`
    select kind, count(*) filter (where state = 'waiting') as waiting, count(*) filter (where state = 'running') as running,
      count(*) filter (where state = 'failed') as failed,
      min(created_at) filter (where state = 'waiting') as "oldestWaitingAt"
    from job group by kind`.execute(db)
  const byKind = new Map(rows.map((row) => [row.kind, row]))
  return knownKeys(jobKinds).map(
    (kind) => byKind.get(kind) ?? { kind, waiting: 0, running: 0, failed: 0, oldestWaitingAt: null },
  )
}
