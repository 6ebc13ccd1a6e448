import { ServiceError } from '../../contract/errors.ts'
import type { Db } from '../../database/connection.ts'

/** The families of a workspace that are in use, by name, with the time of their newest SBOM. Served by the index sbom_family. */
export async function selectFamilyNames(
  db: Db,
  workspaceId: string,
): Promise<{ id: string; name: string; lastUploadAt: Date | null }[]> {
  return db
    .selectFrom('family as f')
    .select((select) => [
      'f.id',
      'f.name',
      select
        .selectFrom('sbom as s')
        .select((of) => of.fn.max('s.received_at').as('at'))
        .where('s.workspace_id', '=', workspaceId)
        .whereRef('s.family_id', '=', 'f.id')
        .as('lastUploadAt'),
    ])
    .where('f.workspace_id', '=', workspaceId)
    .where('f.deleted_at', 'is', null)
    .where('f.archived_at', 'is', null)
    .orderBy((order) => order.fn('lower', ['f.name']))
    .orderBy('f.id')
    .execute()
}

/** One family that is not deleted. Codes: `not_found`. */
export async function selectFamily(
  db: Db,
  workspaceId: string,
  familyId: string,
): Promise<{
  id: string
  name: string
  createdAt: Date
  archivedAt: Date | null
  currentVersionId: string | null
}> {
  const row = await db
    .selectFrom('family')
    .select(['id', 'name', 'created_at', 'archived_at', 'current_version_id'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', familyId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) throw new ServiceError('not_found')
  return {
    id: row.id,
    name: row.name,
    createdAt: row.created_at,
    archivedAt: row.archived_at,
    currentVersionId: row.current_version_id,
  }
}

/** A family's product versions, newest first. */
export async function selectVersions(
  db: Db,
  workspaceId: string,
  familyId: string,
): Promise<{ id: string; name: string; retiredAt: Date | null }[]> {
  const rows = await db
    .selectFrom('product_version')
    .select(['id', 'name', 'retired_at'])
    .where('workspace_id', '=', workspaceId)
    .where('family_id', '=', familyId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map((row) => ({ id: row.id, name: row.name, retiredAt: row.retired_at }))
}
