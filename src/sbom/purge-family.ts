import type { Db } from '../database/connection.ts'

const tables = [
  'connector_refusal',
  'connector_test',
  'sbom_retention',
  'removed_sbom',
  'sbom',
  'identity_batch',
  'component',
] as const

/**
 * Removes the SBOMs and components of a deleted family, what stayed of SBOMs that were removed before, and what its connector was told. Its
 * findings must be gone.
 */
export async function purgeFamilySboms(db: Db, workspaceId: string, familyId: string): Promise<void> {
  for (const table of tables) {
    await db
      .deleteFrom(table)
      .where('workspace_id', '=', workspaceId)
      .where('family_id', '=', familyId)
      .execute()
  }
}
