import { ServiceError } from '../../contract/errors.ts'
import type { Db } from '../../database/connection.ts'

export type Family = {
  id: string
  name: string
  createdAt: Date
  archivedAt: Date | null
  activeVersions: number
}

/** The families of a workspace by name: those in use, or those archived. Deleted ones never. */
export async function selectFamilies(
  db: Db,
  workspaceId: string,
  { archived }: { archived: boolean },
): Promise<Family[]> {
  const rows = await db
    .selectFrom('family as f')
    .leftJoin('product_version as v', (join) =>
      join.onRef('v.family_id', '=', 'f.id').on('v.retired_at', 'is', null),
    )
    .select((select) => [
      'f.id',
      'f.name',
      'f.created_at',
      'f.archived_at',
      select.fn.count<string>('v.id').as('active_versions'),
    ])
    .where('f.workspace_id', '=', workspaceId)
    .where('f.deleted_at', 'is', null)
    .where('f.archived_at', archived ? 'is not' : 'is', null)
    .groupBy('f.id')
    .orderBy((order) => order.fn('lower', ['f.name']))
    .orderBy('f.id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    createdAt: row.created_at,
    archivedAt: row.archived_at,
    activeVersions: Number(row.active_versions),
  }))
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
