import { sql, type QueryCreator } from 'kysely'
import type { Tx } from '../../database/connection.ts'
import type { Tables } from '../../database/tables.ts'
import { jobKinds, type JobKind, type JobPayload } from '../../jobs.ts'
import { prepared } from '../postgres/prepared.ts'

/** Stands for the installation where a job belongs to no workspace. */
const installation = '00000000-0000-0000-0000-000000000000'

export type JobOrder<K extends JobKind> = {
  kind: K
  payload: JobPayload[K]
  /** Product time of the order, from which the job is due. Nothing is ordered for later: deadlines are rows that schedules compare. */
  runAt: Date
  /** At most one job of a kind and key waits; a second order while one waits changes nothing. */
  key?: string
  /** Whose turn the job takes: workspaces are served in turn, however many jobs each has. */
  workspaceId?: string
}

/** Orders background work in the transaction of the change, so that the job exists exactly when the change does. */
export async function enqueue<K extends JobKind>(tx: Tx, order: JobOrder<K>): Promise<void> {
  await insertOfJob(tx, order).modifyEnd(prepared).execute()
}

/** The same as part of a longer statement: a common table expression. Workers are told when the transaction ends. */
export function insertOfJob<K extends JobKind>(db: QueryCreator<Tables>, order: JobOrder<K>) {
  return db
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
        // a plan without values must still see that this is the condition of the index
        .where('state', '=', sql.lit('waiting'))
        .where('key', 'is not', null)
        // locks the waiting job, so that no worker takes it before this transaction's change can be seen
        .doUpdateSet((set) => ({ run_at: set.fn<Date>('least', ['job.run_at', 'excluded.run_at']) })),
    )
    .returning(sql`pg_notify('job', '')`.as('told'))
}
