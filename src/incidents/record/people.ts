import { sql } from 'kysely'
import { ServiceError } from '../../contract/errors.ts'
import { incidentLimits } from '../../contract/incidents/limits.ts'
import { isAllowed, type Role } from '../../contract/roles.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { membersOf } from '../../workspace/members-of.ts'
import { onIncident, type IncidentAct } from './lock-incident.ts'
import { noteAct } from './note-act.ts'
import { InputReader } from '../../platform/input-reader.ts'
import { note } from './tell.ts'

/** Gives an incident to a member who may work on it, or to nobody. Codes: `not_found`, `invalid_request`. */
export async function assignIncident(db: Db, act: IncidentAct, personId: string | null): Promise<void> {
  await onIncident(db, act, async (tx, incident) => {
    const { actor, now } = act
    if (incident.assignee === personId) return
    const person = personId === null ? null : await lockWorker(tx, incident.workspace_id, personId)
    if (person === undefined) {
      throw new ServiceError('invalid_request', {
        fields: { person: 'This must be a member whose role can work on incidents.' },
      })
    }
    await tx
      .updateTable('incident')
      .set({ assignee: personId, ...(personId === null ? { untaken_since: now, untaken_told: 0 } : {}) })
      .where('id', '=', incident.id)
      .execute()
    const data = { person: person?.name ?? null }
    await noteAct(tx, incident, { actor, now, kind: 'assigned', data, after: data })
    const to = personId === null || personId === actor.id ? [] : [personId]
    await note(tx, incident, { what: 'assigned', to, by: actor.name, now })
  })
}

/** Writes a comment and tells those whom it mentions. Codes: `not_found`, `invalid_request`. */
export async function addComment(
  db: Db,
  act: IncidentAct,
  given: { text: string; mentions?: string[] },
): Promise<void> {
  await onIncident(db, act, async (tx, incident) => {
    const { actor, now } = act
    const input = new InputReader()
    const text = input.text('text', given.text, { min: 1, max: incidentLimits.commentCharacters })
    const mentions = [...new Set(given.mentions)]
    if (mentions.length > 50) input.refuse('mentions', 'Choose at most 50 people.')
    input.finish()
    const people = await selectMembers(tx, incident.workspace_id, mentions)
    if (people.length < mentions.length) {
      throw new ServiceError('invalid_request', { fields: { mentions: 'Only members can be mentioned.' } })
    }
    const data = { text, mentions: people.map(({ name }) => name) }
    await noteAct(tx, incident, { actor, now, kind: 'commented', data })
    const to = mentions.filter((personId) => personId !== actor.id)
    await note(tx, incident, { what: 'mentioned', to, by: actor.name, now })
  })
}

type Person = { id: string; name: string; role: Role }

async function selectMembers(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<Person[]> {
  return ids.length === 0 ? [] : membersAmong(tx, workspaceId, ids).execute()
}

function membersAmong(tx: Tx, workspaceId: string, ids: readonly string[]) {
  return membersOf(tx, workspaceId)
    .select(['p.id', 'p.name', 'm.role'])
    .where(sql<boolean>`p.id::text = any(${[...ids]}::text[])`)
}

/** Undefined: no member who may work on incidents. Locked, so that whoever takes that from them finds what they were given. */
async function lockWorker(tx: Tx, workspaceId: string, personId: string): Promise<Person | undefined> {
  const member = await membersAmong(tx, workspaceId, [personId]).forShare('m').executeTakeFirst()
  return member !== undefined && isAllowed(member.role, 'work_on_incidents') ? member : undefined
}
