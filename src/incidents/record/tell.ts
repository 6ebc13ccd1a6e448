import type { AlertFact } from '../../contract/alerts/events.ts'
import type { IncidentNote } from '../../contract/notices/shapes.ts'
import type { Tx } from '../../database/connection.ts'
import { enqueue } from '../../queue/enqueue.ts'
import { enqueueNotice } from '../../workspace/enqueue-notice.ts'
import type { Incident } from './lock-incident.ts'

type Named = Pick<Incident, 'id' | 'reference' | 'title' | 'workspace_id' | 'is_exercise'>

/** How events and notices name an incident. */
export function nameOf({ id, reference, title }: Pick<Incident, 'id' | 'reference' | 'title'>) {
  return { id, reference, title }
}

/** Emits an event, unless the incident is a drill. `eventId` identifies what happened; the same event is told only once. */
export async function emit(
  tx: Tx,
  { workspace_id, is_exercise }: Named,
  event: { eventId: string; fact: AlertFact; except?: string[]; now: Date },
): Promise<void> {
  if (is_exercise) return
  const { now, ...payload } = event
  await enqueue(tx, {
    kind: 'emit_event',
    workspaceId: workspace_id,
    payload: { ...payload, workspaceId: workspace_id },
    runAt: now,
  })
}

/** Tells members in person, in the bell and by mail, unless the incident is a drill. */
export async function note(
  tx: Tx,
  incident: Named,
  { what, to, by, now }: { what: IncidentNote; to: readonly string[]; by: string | null; now: Date },
): Promise<void> {
  if (incident.is_exercise || to.length === 0) return
  await enqueueNotice(tx, {
    to: { workspaceId: incident.workspace_id },
    fact: { type: 'incident.note', data: { incident: nameOf(incident), what, by } },
    named: [...new Set(to)],
    now,
  })
}
