import { sql } from 'kysely'
import type { Db } from '../database/connection.ts'
import type { JobKind } from '../jobs.ts'
import { startRound } from './claim.ts'
import { keepLeases } from './keep-leases.ts'
import { isOfKnownKind } from './known-kinds.ts'
import { recover, runNext, type Worker } from './run-next.ts'

/**
 * Works until nothing is due by the product clock, retries included, and no other worker has a job running.
 * Answers how many jobs of each kind ran.
 */
export async function drainQueue(
  worker: Worker,
  { except }: { except: JobKind[] },
): Promise<Map<JobKind, number>> {
  const counts = new Map<JobKind, number>()
  const running = new Set<number>()
  const round = startRound()
  const endRenewing = keepLeases(worker, running)
  let isIdle = true
  try {
    for (;;) {
      // What a killed worker left is taken up before the end: asking after every job would be a third of all statements.
      if (isIdle) await recover(worker)
      const done = await runNext({ ...worker, except, ignoreBackoff: true, round, running })
      isIdle = done === undefined
      if (done !== undefined) counts.set(done.kind, (counts.get(done.kind) ?? 0) + done.jobs)
      else if (await isOtherWorkRunning(worker.db)) await new Promise((resolve) => setTimeout(resolve, 50))
      else return counts
    }
  } finally {
    endRenewing()
  }
}

async function isOtherWorkRunning(db: Db): Promise<boolean> {
  const running = await db
    .selectFrom('job')
    .select('id')
    .where('state', '=', 'running')
    .where(isOfKnownKind(sql`kind`))
    .limit(1)
    .executeTakeFirst()
  return running !== undefined
}
