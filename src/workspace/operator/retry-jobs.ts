import type { Db } from '../../database/connection.ts'
import { retryFailedJobs, type Retrial, type Retried } from '../../queue/failed.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import { recordAct, type Actor } from '../../audit/record-acts.ts'

/** Lets failed jobs run again, as an act of the operator. */
export async function retryJobs(
  db: Db,
  { which, actor, now }: { which: Retried; actor: Actor; now: Date },
): Promise<Retrial> {
  return transact(db, async (tx) => {
    const retrial = await retryFailedJobs(tx, which, now)
    if (retrial.notFailed !== null) return retrial
    await recordAct(tx, {
      workspaceId: null,
      actor,
      at: now,
      after: { which, waiting: retrial.waiting },
      action: 'jobs.retried',
      object: { kind: 'installation', id: 'installation' },
    })
    return retrial
  })
}
