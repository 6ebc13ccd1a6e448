import type { EntryKind } from '../../contract/incidents.ts'
import type { Tx } from '../../database/connection.ts'
import type { Actor } from '../../workspace/audit.ts'
import { recordIncidentAct, type Incident } from './lock-incident.ts'
import { addEntries } from './timeline.ts'

type Noted = {
  actor: Actor
  now: Date
  kind: EntryKind
  /** Of the line in the timeline; shown to every member. */
  data?: Record<string, unknown>
  /** Of the audit event; `incident.<kind>` unless it says more. */
  action?: string
  before?: unknown
  after?: unknown
}

/** What a member did to an incident: a line in its timeline and an audit event, in the transaction of the act. Reasons stay in the timeline. */
export async function noteAct(
  tx: Tx,
  incident: Pick<Incident, 'id' | 'reference' | 'workspace_id'>,
  { actor, now, kind, data, action = `incident.${kind}`, before, after }: Noted,
): Promise<void> {
  const place = { workspaceId: incident.workspace_id, incidentId: incident.id }
  await addEntries(tx, [{ ...place, at: now, actor, kind, ...(data === undefined ? {} : { data }) }])
  await recordIncidentAct(tx, incident, { action, actor, now, before, after })
}
