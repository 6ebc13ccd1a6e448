import { incidentLimits } from '../../contract/incidents/limits.ts'
import type { Informed } from '../../contract/incidents/shapes.ts'
import type { Db, Tx } from '../../database/connection.ts'
import type { Actor } from '../../audit/record-acts.ts'
import { lockIncident, onIncident, type Incident, type IncidentAct } from './lock-incident.ts'
import { noteAct } from './note-act.ts'
import { InputReader } from '../../platform/input-reader.ts'

/**
 * Records that users were informed by other means than an advisory (CRA Art. 14(8)), or the maintainer of the component (Art. 13(6)).
 * Codes: `not_found`, `invalid_request`.
 */
export async function recordInformed(
  db: Db,
  act: IncidentAct,
  given: { who: 'users' | 'maintainer'; how: string; at?: string },
): Promise<void> {
  await onIncident(db, act, async (tx, incident) => {
    const { actor, now } = act
    const input = new InputReader()
    const how = input.text('how', given.how, { min: 3, max: incidentLimits.reasonCharacters })
    const at = given.at === undefined ? now : input.time('at', given.at, { now })
    input.finish()
    await storeInformed(tx, incident, { who: given.who, how, at, actor, now })
  })
}

type Publication = { workspaceId: string; incidentId: string; trackingId: string; actor: Actor; now: Date }

/** The publication of an advisory informs the users of an incident, unless that is recorded already. Codes: `not_found`. */
export async function informUsersByAdvisory(
  tx: Tx,
  { workspaceId, incidentId, trackingId, actor, now }: Publication,
): Promise<void> {
  const incident = await lockIncident(tx, workspaceId, incidentId)
  if (incident.users_informed !== null) return
  await storeInformed(tx, incident, {
    who: 'users',
    how: `By the advisory ${trackingId}.`,
    at: now,
    actor,
    now,
  })
}

type Telling = { who: 'users' | 'maintainer'; how: string; at: Date; actor: Actor; now: Date }

async function storeInformed(
  tx: Tx,
  incident: Incident,
  { who, how, at, actor, now }: Telling,
): Promise<void> {
  const informed: Informed = { at: at.toISOString(), by: actor.name, how }
  const column = who === 'users' ? 'users_informed' : 'maintainer_informed'
  await tx
    .updateTable('incident')
    .set({ [column]: JSON.stringify(informed) })
    .where('workspace_id', '=', incident.workspace_id)
    .where('id', '=', incident.id)
    .execute()
  await noteAct(tx, incident, {
    actor,
    now,
    kind: `${who}_informed`,
    data: { how, at: informed.at },
    after: { at: informed.at },
  })
}
