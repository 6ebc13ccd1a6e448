import type { Db } from '../../database/connection.ts'
import { deleteOfFamily } from '../../database/delete-of-family.ts'
import { forgetComponents } from '../inventory/index-components.ts'

/** Removes the findings of a deleted family, and its components from the search. Call it before its SBOMs are removed. */
export async function purgeFamilyFindings(db: Db, workspaceId: string, familyId: string): Promise<void> {
  await db.deleteFrom('finding_turn').where('family_id', '=', familyId).execute()
  await deleteOfFamily(db, ['finding'], { workspaceId, familyId })
  await forgetComponents(db, { workspaceId, familyId })
}
