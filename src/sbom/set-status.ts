import type { Db } from '../database/connection.ts'

/** Matching has finished: the findings of the SBOMs are complete. Keeps the time of the first finish. */
export async function markMatched(
  db: Db,
  workspaceId: string,
  sbomIds: readonly string[],
  now: Date,
): Promise<void> {
  await db
    .updateTable('sbom')
    .set({ status: 'matched', matched_at: now, failure: null })
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', sbomIds)
    .where('status', '<>', 'matched')
    .execute()
}

/** Matching has failed for good; `reason` is a sentence for the SBOM's page. */
export async function markFailed(
  db: Db,
  { workspaceId, sbomId }: { workspaceId: string; sbomId: string },
  reason: string,
): Promise<void> {
  await db
    .updateTable('sbom')
    .set({ status: 'failed', failure: reason })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', sbomId)
    .where('status', '<>', 'matched')
    .execute()
}
