import type { Db } from '../../database/connection.ts'
import type { Actor } from '../../audit/record-acts.ts'
import { onIncident, recordIncidentAct } from './lock-incident.ts'

/** That somebody was given the evidence file of an incident, in the audit trail. Codes: `not_found`. */
export async function noteExport(
  db: Db,
  act: { workspaceId: string; incidentId: string; actor: Actor; now: Date },
  format: 'json' | 'page',
): Promise<void> {
  const { actor, now } = act
  await onIncident(db, act, (tx, incident) =>
    recordIncidentAct(tx, incident, { action: 'incident.exported', actor, now, after: { format } }),
  )
}
