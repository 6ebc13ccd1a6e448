import type { Regime } from '../../contract/alerts/events.ts'
import type { Tx } from '../../database/connection.ts'
import type { Incident } from '../record/lock-incident.ts'
import { settleReports } from '../reports/settle-reports.ts'

type Ending = { regime: Regime; reason: string; by: string; now: Date }

/** Ends a regime of an incident; its times are kept in case it applies again. */
export async function endRegime(
  tx: Tx,
  incident: Incident,
  { regime, reason, by, now }: Ending,
): Promise<void> {
  await tx
    .updateTable('incident_regime')
    .set({ is_active: false, waiver: null, reason, changed_at: now, changed_by_name: by })
    .where('workspace_id', '=', incident.workspace_id)
    .where('incident_id', '=', incident.id)
    .where('regime', '=', regime)
    .execute()
  await settleReports(tx, incident, now)
}
