import type { DestinationRow } from '../../contract/alerts.ts'
import { shownColumns, toDestination } from '../../alerts/destinations/shown-destination.ts'
import type { Db } from '../../database/connection.ts'

/** Every destination of a workspace, oldest first, with who added it. */
export async function listDestinationRows(db: Db, workspaceId: string): Promise<DestinationRow[]> {
  const rows = await db
    .selectFrom('alert_destination')
    .select([...shownColumns, 'created_at', 'added_by_kind', 'added_by_name'])
    .select((is) => is('secret_sealed', 'is not', null).as('has_secret'))
    .where('workspace_id', '=', workspaceId)
    .where('removed_at', 'is', null)
    .orderBy('created_at')
    .orderBy('number')
    .execute()
  return rows.map((row) => ({
    ...toDestination(row),
    createdAt: row.created_at.toISOString(),
    addedBy: { kind: row.added_by_kind, name: row.added_by_name },
    hasSecret: Boolean(row.has_secret),
  }))
}
