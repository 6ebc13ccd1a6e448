import type { Db } from '../../src/database/connection.ts'
import type { JobKind } from '../../src/jobs.ts'
import { enqueue, type NewJob } from '../../src/queue/enqueue.ts'

/** Enqueues a job in its own transaction, which production code never does. */
export async function enqueueJob<K extends JobKind>(db: Db, order: NewJob<K>): Promise<void> {
  await db.transaction().execute((tx) => enqueue(tx, order))
}

/** Enqueues the matching of a stored SBOM. */
export async function enqueueMatching(
  db: Db,
  { workspaceId, sbomId }: { workspaceId: string; sbomId: string },
  runAt: Date,
): Promise<void> {
  const payload = { workspaceId, sbomId }
  await enqueueJob(db, { kind: 'match_sbom', key: sbomId, workspaceId, payload, runAt })
}
