import type { Db, Tx } from '../../database/connection.ts'
import { enqueue, enqueueAll } from '../../queue/enqueue.ts'
import type { FamilyKey } from './family-key.ts'

/** Enqueues the refresh of a family's findings, in the transaction of what changes them. */
export async function enqueueRefresh(tx: Tx, { workspaceId, familyId }: FamilyKey, now: Date): Promise<void> {
  await enqueue(tx, {
    kind: 'refresh_findings',
    key: familyId,
    workspaceId,
    payload: { workspaceId, familyId },
    runAt: now,
  })
}

/** The same for several families, each named once, in a transaction of its own: what changed them is committed. */
export async function enqueueRefreshes(db: Db, families: readonly FamilyKey[], now: Date): Promise<void> {
  if (families.length === 0) return
  await db.transaction().execute((tx) =>
    enqueueAll(
      tx,
      families.map(({ workspaceId, familyId }) => ({
        kind: 'refresh_findings',
        key: familyId,
        workspaceId,
        payload: { workspaceId, familyId },
        runAt: now,
      })),
    ),
  )
}

/** The same in the transaction that ends a pause. `pausedFrom`: since when nothing was worked out. */
export async function enqueueRefreshesInside(
  tx: Tx,
  families: readonly FamilyKey[],
  { now, pausedFrom }: { now: Date; pausedFrom: Date },
): Promise<void> {
  await enqueueAll(
    tx,
    families.map(({ workspaceId, familyId }) => ({
      kind: 'refresh_findings',
      key: familyId,
      workspaceId,
      payload: { workspaceId, familyId, pausedFrom: pausedFrom.toISOString() },
      runAt: now,
    })),
  )
}
