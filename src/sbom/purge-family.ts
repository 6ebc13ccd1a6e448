import type { Db } from '../database/connection.ts'
import { deleteOfFamily } from '../database/delete-of-family.ts'

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
  await deleteOfFamily(db, tables, { workspaceId, familyId })
}
