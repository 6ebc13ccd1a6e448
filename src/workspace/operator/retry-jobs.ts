import type { Db } from '../../database/connection.ts'
import { retryFailedJobs, type Retried } from '../../queue/failed.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import { recordAct, type Actor } from '../../audit/record-acts.ts'

/** Lets failed jobs run again, as an act of the operator. Returns how many wait now. */
export async function retryJobs(
  db: Db,
  { which, actor, now }: { which: Retried; actor: Actor; now: Date },
): Promise<number> {
  return transact(db, async (tx) => {
    const waiting = await retryFailedJobs(tx, which, now)
    await recordAct(tx, {
      workspaceId: null,
      actor,
      at: now,
      after: { which, waiting },
      action: 'jobs.retried',
      object: { kind: 'installation', id: 'installation' },
    })
    return waiting
  })
}
