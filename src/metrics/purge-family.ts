import type { Db } from '../database/connection.ts'
import { deleteOfFamily } from '../database/delete-of-family.ts'

/** Removes what was counted of a deleted family. */
export async function purgeFamilyDays(db: Db, workspaceId: string, familyId: string): Promise<void> {
  await deleteOfFamily(db, ['family_day'], { workspaceId, familyId })
}
