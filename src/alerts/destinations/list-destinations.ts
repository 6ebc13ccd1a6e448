import type { Destination, DestinationRow } from '../../contract/alerts/shapes.ts'
import type { Db } from '../../database/connection.ts'
import { shownColumns, toDestination } from './shown-destination.ts'

/** Every destination of a workspace, oldest first, wherever it was added. */
export async function listDestinations(db: Db, workspaceId: string): Promise<Destination[]> {
  return (await selectDestinations(db, workspaceId)).map(toDestination)
}

/** The same with who added each. */
export async function listDestinationRows(db: Db, workspaceId: string): Promise<DestinationRow[]> {
  const rows = await selectDestinations(db, workspaceId)
  return rows.map((row) => ({
    ...toDestination(row),
    createdAt: row.created_at.toISOString(),
    addedBy: { kind: row.added_by_kind, name: row.added_by_name },
    hasSecret: Boolean(row.has_secret),
  }))
}

function selectDestinations(db: Db, workspaceId: string) {
  return db
    .selectFrom('alert_destination')
    .select([...shownColumns, 'created_at', 'added_by_kind', 'added_by_name'])
    .select((is) => is('secret_sealed', 'is not', null).as('has_secret'))
    .where('workspace_id', '=', workspaceId)
    .where('removed_at', 'is', null)
    .orderBy('created_at')
    .orderBy('number')
    .execute()
}
