import type { Db } from '../../database/connection.ts'
import { forgetComponents } from '../inventory/index-components.ts'

/** Removes the findings of a deleted family, what was counted of it, and its components from the search. Call it before its SBOMs are removed. */
export async function purgeFamilyFindings(db: Db, workspaceId: string, familyId: string): Promise<void> {
  await db.deleteFrom('finding_turn').where('family_id', '=', familyId).execute()
  await db
    .deleteFrom('finding')
    .where('workspace_id', '=', workspaceId)
    .where('family_id', '=', familyId)
    .execute()
  await db
    .deleteFrom('family_day')
    .where('workspace_id', '=', workspaceId)
    .where('family_id', '=', familyId)
    .execute()
  await forgetComponents(db, { workspaceId, familyId })
}
