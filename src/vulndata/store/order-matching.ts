import type { Tx } from '../../database/connection.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import type { GroupMerge } from '../groups.ts'
import { selectUsedPackageKeys } from '../queries.ts'

const keysPerLookup = 10_000
const keysPerJob = 500

type Order = { packageKeys: ReadonlySet<string>; merged: readonly GroupMerge[]; now: Date }

/**
 * Orders the matching of the components on changed packages anew, in the transaction of the change; packages that no component has
 * cost nothing. Merged groups travel with the first job, so that findings follow their vulnerability. Answers the number of jobs.
 */
export async function orderMatching(tx: Tx, { packageKeys, merged, now }: Order): Promise<number> {
  const keys = [...packageKeys]
  const used: string[] = []
  for (let start = 0; start < keys.length; start += keysPerLookup) {
    used.push(...(await selectUsedPackageKeys(tx, keys.slice(start, start + keysPerLookup))))
  }
  let jobs = 0
  for (let start = 0; start < used.length || (start === 0 && merged.length > 0); start += keysPerJob) {
    const mergedGroups = start === 0 && merged.length > 0 ? { mergedGroups: [...merged] } : {}
    const payload = { packageKeys: used.slice(start, start + keysPerJob), ...mergedGroups }
    await enqueue(tx, { kind: 'match_packages', payload, runAt: now })
    jobs += 1
  }
  return jobs
}
