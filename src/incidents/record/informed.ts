import type { Informed } from '../../contract/incidents.ts'
import type { Db } from '../../database/connection.ts'
import { onIncident, recordIncidentAct, type IncidentAct } from './lock-incident.ts'
import { InputReader } from './read-input.ts'
import { addEntries } from './timeline.ts'

/**
 * Records that users were informed (CRA Art. 14(8)) another way than by an advisory, or the maintainer of the component (Art. 13(6)).
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
    const how = input.text('how', given.how, { min: 3, max: 4_000 })
    const at = given.at === undefined ? now : input.time('at', given.at, { now })
    input.finish()
    const informed: Informed = { at: at.toISOString(), by: actor.name, how }
    const column = given.who === 'users' ? 'users_informed' : 'maintainer_informed'
    await tx
      .updateTable('incident')
      .set({ [column]: JSON.stringify(informed) })
      .where('id', '=', incident.id)
      .execute()
    const kind = `${given.who}_informed` as const
    const entry = { workspaceId: incident.workspace_id, incidentId: incident.id, at: now, actor, kind }
    await addEntries(tx, [{ ...entry, data: { how, at: informed.at } }])
    await recordIncidentAct(tx, incident, {
      action: `incident.${kind}`,
      actor,
      now,
      after: { at: informed.at },
    })
  })
}
