import { sql } from 'kysely'
import type { Db } from '../database/connection.ts'
import { uuidList } from '../platform/postgres/columns.ts'
import { asynchronousCommit } from '../platform/postgres/asynchronous-commit.ts'
import { prepared } from '../platform/postgres/prepared.ts'

/**
 * Matching has finished: the findings of the SBOMs are complete. Keeps the time of the first finish. The commit is asynchronous: after a
 * crash that loses it, the job still exists and runs again.
 */
export async function markMatched(
  db: Db,
  workspaceId: string,
  sbomIds: readonly string[],
  now: Date,
): Promise<void> {
  await sql`
    with done as (
      update sbom set status = 'matched', matched_at = ${now}, failure = null
      where workspace_id = ${workspaceId} and id = any(${uuidList(sbomIds)}) and status <> 'matched'
    )
    select ${asynchronousCommit} ${prepared}`.execute(db)
}

/** Matching has failed for good; `reason` is a sentence for the SBOM's page. */
export async function markFailed(
  db: Db,
  { workspaceId, sbomId, now }: { workspaceId: string; sbomId: string; now: Date },
  reason: string,
): Promise<void> {
  await db
    .updateTable('sbom')
    .set({ status: 'failed', failure: reason, failed_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', sbomId)
    .where('status', '<>', 'matched')
    .execute()
}
