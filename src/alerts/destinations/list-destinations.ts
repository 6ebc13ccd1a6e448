import type { Destination } from '../../contract/alerts.ts'
import type { Db } from '../../database/connection.ts'
import { shownColumns, toDestination } from './shown-destination.ts'

/** Every destination of a workspace, oldest first, wherever it was added. */
export async function listDestinations(db: Db, workspaceId: string): Promise<Destination[]> {
  const rows = await db
    .selectFrom('alert_destination')
    .select(shownColumns)
    .where('workspace_id', '=', workspaceId)
    .where('removed_at', 'is', null)
    .orderBy('created_at')
    .orderBy('number')
    .execute()
  return rows.map(toDestination)
}
