import type { Db } from '../../database/connection.ts'
import { onIncident } from '../record/lock-incident.ts'
import { settleReports } from './settle-reports.ts'

/**
 * Counts the clocks of every open incident of a workspace again, after its time zone changed (job `settle_reports`). One that is closed is
 * counted again when it is reopened. Running it twice changes nothing.
 */
export async function settleWorkspace(
  db: Db,
  { workspaceId, now }: { workspaceId: string; now: Date },
): Promise<void> {
  const open = await db
    .selectFrom('incident')
    .select('id as incidentId')
    .where('workspace_id', '=', workspaceId)
    .where('status', '=', 'open')
    .orderBy('id')
    .execute()
  for (const { incidentId } of open)
    await onIncident(db, { workspaceId, incidentId }, (tx, incident) => settleReports(tx, incident, now))
}
