import type { Db } from '../database/connection.ts'
import { deleteOfFamily } from '../database/delete-of-family.ts'

const tables = [
  'verdict_decision',
  'vex_link',
  'vex_target',
  'vex_claim',
  'vex_statement',
  'vex_document',
  'vex_export',
] as const

/**
 * Removes the VEX documents of a deleted family with everything they say, what its BOM-Links were found to mean, and the decisions on
 * it. Call it after its findings and before its SBOMs are removed.
 */
export async function purgeFamilyVex(db: Db, workspaceId: string, familyId: string): Promise<void> {
  await deleteOfFamily(db, tables, { workspaceId, familyId })
}
