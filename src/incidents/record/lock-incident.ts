import type { Selectable } from 'kysely'
import type { AuditAction } from '../../contract/audit/shapes.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import type { Tables } from '../../database/tables.ts'
import { recordAct, type Actor } from '../../audit/record-acts.ts'

export type Incident = Selectable<Tables['incident']>

/** A member who acts on an incident. */
export type IncidentAct = { workspaceId: string; incidentId: string; actor: PersonActor; now: Date }

/** An actor who is a person: only people record, decide and file. */
export type PersonActor = Actor & { kind: 'person'; id: string }

/** The person behind a member's request. */
export function personOf(actor: Actor): PersonActor {
  if (actor.kind !== 'person' || actor.id === null) throw new Error('only people act on incidents')
  return { ...actor, kind: 'person', id: actor.id }
}

/** Does an act on an incident, one at a time, in a transaction of its own. Codes: `not_found` and those of the act. */
export async function onIncident<T>(
  db: Db,
  { workspaceId, incidentId }: Pick<IncidentAct, 'workspaceId' | 'incidentId'>,
  act: (tx: Tx, incident: Incident) => Promise<T>,
): Promise<T> {
  return transact(db, async (tx) => act(tx, await lockIncident(tx, workspaceId, incidentId)))
}

/** The incident, locked until the transaction ends. Codes: `not_found`. */
export async function lockIncident(tx: Tx, workspaceId: string, incidentId: string): Promise<Incident> {
  const incident = await oneIncident(tx, workspaceId, incidentId).forNoKeyUpdate().executeTakeFirst()
  if (incident === undefined) throw new ServiceError('not_found')
  return incident
}

/** The incident as it is, for reading. Undefined: the workspace has no such incident. */
export function selectIncident(
  db: Db,
  { workspaceId, incidentId }: Pick<IncidentAct, 'workspaceId' | 'incidentId'>,
): Promise<Incident | undefined> {
  return oneIncident(db, workspaceId, incidentId).executeTakeFirst()
}

function oneIncident(db: Db, workspaceId: string, incidentId: string) {
  return db
    .selectFrom('incident')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', incidentId)
}

/** Codes: `conflict` on a closed incident. */
export function refuseClosed({ status, reference }: Incident): void {
  if (status === 'open') return
  throw new ServiceError('conflict', { message: `${reference} is closed. Reopen it first.` })
}

/** The audit event of an act on an incident. Reasoning and texts stay out of it. */
export async function recordIncidentAct(
  tx: Tx,
  incident: Pick<Incident, 'id' | 'reference' | 'workspace_id'>,
  {
    action,
    actor,
    now,
    before,
    after,
  }: { action: AuditAction; actor: Actor; now: Date; before?: unknown; after?: unknown },
): Promise<void> {
  await recordAct(tx, {
    workspaceId: incident.workspace_id,
    actor,
    at: now,
    action,
    object: { kind: 'incident', id: incident.id, name: incident.reference },
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  })
}
