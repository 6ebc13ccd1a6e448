import type { Db, Tx } from '../../database/connection.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import { lockOpenings } from '../locks.ts'
import { lockIncident, type Incident, type IncidentAct } from '../record/lock-incident.ts'

/** An opening must not add to an incident that is being closed: its match would then never open another one. */
export async function beforeOpenings(
  db: Db,
  { workspaceId, incidentId }: IncidentAct,
  act: (tx: Tx, incident: Incident) => Promise<void>,
): Promise<void> {
  await transact(db, async (tx) => {
    await lockOpenings(tx, workspaceId)
    await act(tx, await lockIncident(tx, workspaceId, incidentId))
  })
}
