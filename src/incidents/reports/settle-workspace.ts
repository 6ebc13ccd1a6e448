import type { Db } from '../../database/connection.ts'
import { onIncident } from '../record/lock-incident.ts'
import { settleReports } from './settle-reports.ts'

/**
 * Recalculates the clocks of every open incident of a workspace after its time zone changed (job `settle_reports`); for a closed one that
 * happens when it is reopened. A second run changes nothing.
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
