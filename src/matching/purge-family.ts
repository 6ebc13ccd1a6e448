import type { Db } from '../database/connection.ts'

/** Removes the findings of a deleted family. Call it before its SBOMs are removed. */
export async function purgeFamilyFindings(db: Db, workspaceId: string, familyId: string): Promise<void> {
  await db
    .deleteFrom('finding')
    .where('workspace_id', '=', workspaceId)
    .where('family_id', '=', familyId)
    .execute()
}
