import type { Selectable } from 'kysely'
import type { Regime } from '../../contract/alerts/events.ts'
import type { Tx } from '../../database/connection.ts'
import type { Tables } from '../../database/tables.ts'
import type { Incident, IncidentAct } from '../record/lock-incident.ts'
import { noteAct } from '../record/note-act.ts'
import { endingColumns, recordedColumns, type Ending } from './second-person.ts'

export type NewTime = { act: IncidentAct; awareAt: Date; reason: string }

/** `incident.aware_at` is the time before. */
export async function insertChange(
  tx: Tx,
  incident: Incident,
  { act, awareAt, reason, state, regime }: NewTime & { state: 'pending' | 'in_force'; regime?: Regime },
): Promise<string> {
  const row = {
    ...recordedColumns(incident, act),
    from_at: incident.aware_at,
    to_at: awareAt,
    regime: regime ?? null,
    reason,
    state,
  }
  await tx.insertInto('awareness_change').values(row).execute()
  return row.id
}

/** What waits for a second person: one change at most. */
export function pendingOf(tx: Tx, { id }: Incident) {
  return tx
    .selectFrom('awareness_change')
    .selectAll()
    .where('incident_id', '=', id)
    .where('state', '=', 'pending')
}

export type PendingChange = Selectable<Tables['awareness_change']>

/** In its row, the timeline and the audit trail. */
export async function endChange(
  tx: Tx,
  incident: Incident,
  {
    act,
    change,
    ending,
  }: { act: IncidentAct; change: PendingChange; ending: Ending<Ending['state'] | 'superseded'> },
): Promise<void> {
  const { actor, now } = act
  const { comment, ...ended } = ending
  await tx
    .updateTable('awareness_change')
    .set(endingColumns(act, ending))
    .where('id', '=', change.id)
    .execute()
  const { regime, to_at: awareAt } = change
  if (regime === null) {
    await noteChange(tx, incident, { act, awareAt, kind: 'awareness_decided', data: ended })
  } else {
    const after = { regime, ...ended }
    const data = { ...after, comment }
    await noteAct(tx, incident, { actor, now, kind: 'regime_off_decided', data, after })
  }
}

type Change = {
  act: IncidentAct
  awareAt: Date
  kind: 'awareness_requested' | 'awareness_changed' | 'awareness_decided'
  data?: Record<string, unknown>
}

/** In the timeline and the audit trail. */
export async function noteChange(
  tx: Tx,
  incident: Incident,
  { act, awareAt, kind, data }: Change,
): Promise<void> {
  const { actor, now } = act
  const from = incident.aware_at.toISOString()
  const change = { from, to: awareAt.toISOString(), ...data }
  await noteAct(tx, incident, {
    actor,
    now,
    kind,
    data: change,
    before: { awareAt: from },
    after: { awareAt: change.to, ...data },
  })
}
