import type { Db } from '../database/connection.ts'

/** Removes the VEX documents of a deleted family with everything they say. Call it before its SBOMs are removed. */
export async function purgeFamilyVex(db: Db, workspaceId: string, familyId: string): Promise<void> {
  for (const table of ['vex_target', 'vex_claim', 'vex_statement', 'vex_document', 'vex_export'] as const) {
    await db
      .deleteFrom(table)
      .where('workspace_id', '=', workspaceId)
      .where('family_id', '=', familyId)
      .execute()
  }
}
