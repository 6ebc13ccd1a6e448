import type { Tx } from '../../database/connection.ts'
import { enqueue } from '../../queue/enqueue.ts'
import type { GroupMerge } from './group-merges.ts'

const keysPerJob = 500

type Changed = { packageKeys: ReadonlySet<string>; merged: readonly GroupMerge[]; now: Date }

/**
 * Enqueues the matching of the components on changed packages, in the transaction of the change. All changed packages are
 * included, whether or not a component has them yet: a component that arrives before the commit is matched without the change, but
 * is there when the job runs. Merged groups travel with the first job, so that findings follow their vulnerability. Returns the
 * number of jobs.
 */
export async function enqueueMatching(tx: Tx, { packageKeys, merged, now }: Changed): Promise<number> {
  const keys = [...packageKeys].sort()
  let jobs = 0
  for (let start = 0; start < keys.length || (start === 0 && merged.length > 0); start += keysPerJob) {
    const mergedGroups = start === 0 && merged.length > 0 ? { mergedGroups: [...merged] } : {}
    const payload = { packageKeys: keys.slice(start, start + keysPerJob), ...mergedGroups }
    await enqueue(tx, { kind: 'match_packages', payload, runAt: now })
    jobs += 1
  }
  return jobs
}
