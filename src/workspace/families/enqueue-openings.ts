import type { Tx } from '../../database/connection.ts'
import { enqueueAll } from '../../platform/jobs/enqueue.ts'
import type { FamilyKey } from './family-key.ts'

/**
 * Has these families looked at for incidents, in the transaction of what changes an exploited finding or whether it counts.
 * `pausedFrom`: since when nothing was opened, where that ends now.
 */
export async function enqueueOpenings(
  tx: Tx,
  families: readonly FamilyKey[],
  { now, pausedFrom }: { now: Date; pausedFrom?: Date },
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
        ...(pausedFrom === undefined ? {} : { pausedFrom: pausedFrom.toISOString() }),
      },
      runAt: now,
    })),
  )
}

/** The same for every family of a workspace whose monitoring goes on. */
export async function enqueueOpeningsOfWorkspace(
  tx: Tx,
  workspaceId: string,
  resumed: { now: Date; pausedFrom?: Date },
): Promise<void> {
  const families = await tx
    .selectFrom('family')
    .select(['workspace_id as workspaceId', 'id as familyId'])
    .where('workspace_id', '=', workspaceId)
    .where('archived_at', 'is', null)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  await enqueueOpenings(tx, families, resumed)
}
