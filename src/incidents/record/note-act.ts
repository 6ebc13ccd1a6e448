import type { AuditAction } from '../../contract/audit/shapes.ts'
import type { EntryKind } from '../../contract/incidents/words.ts'
import type { Tx } from '../../database/connection.ts'
import type { Actor } from '../../audit/record-acts.ts'
import { recordIncidentAct, type Incident } from './lock-incident.ts'
import { addEntries } from './timeline.ts'

type NameOf<Action> = Action extends `incident.${infer Name}` ? Name : never

/** The audit event is `incident.<kind>` unless another is given. */
type Named =
  | { kind: EntryKind & NameOf<AuditAction>; action?: undefined }
  | { kind: EntryKind; action: AuditAction }

type Noted = Named & {
  actor: Actor
  now: Date
  /** Of the line in the timeline; shown to every member. */
  data?: Record<string, unknown>
  before?: unknown
  after?: unknown
}

/** What a member did to an incident: a line in its timeline and an audit event, in the transaction of the act. Reasons stay in the timeline. */
export async function noteAct(
  tx: Tx,
  incident: Pick<Incident, 'id' | 'reference' | 'workspace_id'>,
  noted: Noted,
): Promise<void> {
  const { actor, now, kind, data, before, after } = noted
  const place = { workspaceId: incident.workspace_id, incidentId: incident.id }
  await addEntries(tx, [{ ...place, at: now, actor, kind, ...(data === undefined ? {} : { data }) }])
  await recordIncidentAct(tx, incident, { action: actionOf(noted), actor, now, before, after })
}

function actionOf(named: Named): AuditAction {
  return named.action === undefined ? `incident.${named.kind}` : named.action
}
