import type { Tx } from '../../database/connection.ts'
import { enqueue } from '../../queue/enqueue.ts'

/** Has incidents taken from whoever can no longer work on them, in the transaction that takes that from them. */
export async function enqueueRelease(
  tx: Tx,
  { workspaceId, now }: { workspaceId: string; now: Date },
): Promise<void> {
  const payload = { workspaceId }
  await enqueue(tx, { kind: 'release_incidents', key: workspaceId, workspaceId, payload, runAt: now })
}
