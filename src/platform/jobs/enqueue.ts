import { sql } from 'kysely'
import type { Db } from '../../database/connection.ts'
import { jobKinds, type JobKind, type JobPayload } from '../../jobs.ts'

/** Stands for the installation where a job belongs to no workspace. */
const installation = '00000000-0000-0000-0000-000000000000'

type JobOrder<K extends JobKind> = {
  kind: K
  payload: JobPayload[K]
  /** Product time of the order, from which the job is due. Nothing is ordered for later: deadlines are rows that schedules compare. */
  runAt: Date
  /** At most one job of a kind and key waits; a second order while one waits changes nothing. */
  key?: string
  /** Whose turn the job takes: workspaces are served in turn, however many jobs each has. */
  workspaceId?: string
}

/** Orders background work. Call it in the transaction of the change, so that the job exists exactly when the change does. */
export async function enqueue<K extends JobKind>(db: Db, order: JobOrder<K>): Promise<void> {
  await db
    .insertInto('job')
    .values({
      kind: order.kind,
      key: order.key ?? null,
      workspace_id: order.workspaceId ?? installation,
      payload: JSON.stringify(order.payload),
      state: 'waiting',
      run_at: order.runAt,
      created_at: order.runAt,
      max_attempts: jobKinds[order.kind].attempts,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'key'])
        .where('state', '=', 'waiting')
        .where('key', 'is not', null)
        // locks the waiting job, so that no worker takes it before this transaction's change can be seen
        .doUpdateSet((set) => ({ run_at: set.fn<Date>('least', ['job.run_at', 'excluded.run_at']) })),
    )
    .execute()
  await sql`select pg_notify('job', '')`.execute(db)
}
