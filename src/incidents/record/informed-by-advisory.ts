import type { Informed } from '../../contract/incidents.ts'
import type { Tx } from '../../database/connection.ts'
import type { Actor } from '../../workspace/audit.ts'
import { lockIncident, recordIncidentAct } from './lock-incident.ts'
import { addEntries } from './timeline.ts'

type Publication = { workspaceId: string; incidentId: string; trackingId: string; actor: Actor; now: Date }

/** The publication of an advisory informs the users of an incident (CRA Art. 14(8)), unless that is recorded already. Codes: `not_found`. */
export async function informUsersByAdvisory(
  tx: Tx,
  { workspaceId, incidentId, trackingId, actor, now }: Publication,
): Promise<void> {
  const incident = await lockIncident(tx, workspaceId, incidentId)
  if (incident.users_informed !== null) return
  const how = `By the advisory ${trackingId}.`
  const informed: Informed = { at: now.toISOString(), by: actor.name, how }
  await tx
    .updateTable('incident')
    .set({ users_informed: JSON.stringify(informed) })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', incidentId)
    .execute()
  const kind = 'users_informed'
  await addEntries(tx, [{ workspaceId, incidentId, at: now, kind, actor, data: { how, at: informed.at } }])
  await recordIncidentAct(tx, incident, {
    action: `incident.${kind}`,
    actor,
    now,
    after: { at: informed.at },
  })
}
