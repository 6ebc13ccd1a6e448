import type { Db } from '../database/connection.ts'

/** Removes the SBOMs and components of a deleted family, and what its connector was told. Its findings must be gone. */
export async function purgeFamilySboms(db: Db, workspaceId: string, familyId: string): Promise<void> {
  await db
    .deleteFrom('connector_refusal')
    .where('workspace_id', '=', workspaceId)
    .where('family_id', '=', familyId)
    .execute()
  await db
    .deleteFrom('connector_test')
    .where('workspace_id', '=', workspaceId)
    .where('family_id', '=', familyId)
    .execute()
  await db
    .deleteFrom('sbom')
    .where('workspace_id', '=', workspaceId)
    .where('family_id', '=', familyId)
    .execute()
  await db
    .deleteFrom('identity_batch')
    .where('workspace_id', '=', workspaceId)
    .where('family_id', '=', familyId)
    .execute()
  await db
    .deleteFrom('component')
    .where('workspace_id', '=', workspaceId)
    .where('family_id', '=', familyId)
    .execute()
}
