import type { Tx } from '../../database/connection.ts'
import { enqueueAll } from '../../queue/enqueue.ts'
import type { FamilyKey } from './family-key.ts'

/**
 * Enqueues a check of these families for incidents, in the transaction that changes an exploited finding or whether it counts,
 * or a finding of an open incident. `pausedFrom`: since when nothing was opened, where such a pause ends now.
 */
export async function enqueueOpenings(
  tx: Tx,
  families: readonly FamilyKey[],
  { now, pausedFrom }: { now: Date; pausedFrom?: Date | string | undefined },
): Promise<void> {
  await enqueueAll(
    tx,
    families.map(({ workspaceId, familyId }) => ({
      kind: 'open_incidents',
      key: familyId,
      workspaceId,
      payload: {
        workspaceId,
        familyId,
        ...(pausedFrom === undefined ? {} : { pausedFrom: new Date(pausedFrom).toISOString() }),
      },
      runAt: now,
    })),
  )
}
