import { ServiceError } from '../../contract/errors.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { onIncident, refuseClosed, type Incident, type IncidentAct } from '../record/lock-incident.ts'
import { note } from '../record/tell.ts'
import { endRegime } from '../regimes/end-regime.ts'
import { endChange, type PendingChange } from './awareness-changes.ts'
import { putIntoForce } from './change-awareness.ts'
import { judgeDecision, refuseDecided, withdrawnBy, type Decision } from './second-person.ts'

/** Approves or rejects a pending change of awareness, or the pending end of a regime. Codes as for determinations. */
export async function decideAwareness(
  db: Db,
  act: IncidentAct & { changeId: string },
  decision: Decision,
): Promise<void> {
  await onIncident(db, act, async (tx, incident) => {
    const change = await selectPending(tx, incident, act.changeId)
    refuseClosed(incident)
    const ending = await judgeDecision(tx, act, change, decision)
    await endChange(tx, incident, { act, change, ending })
    const { regime, reason, recorded_by_name: by } = change
    if (decision.approve && regime === null)
      await putIntoForce(tx, incident, { awareAt: change.to_at, now: act.now })
    if (decision.approve && regime !== null)
      await endRegime(tx, incident, { regime, reason, by, now: act.now })
    const to = ending.selfApproved ? [] : [change.recorded_by]
    const what = `${regime === null ? 'awareness' : 'regime_off'}_${ending.state}` as const
    await note(tx, incident, { what, to, by: act.actor.name, now: act.now })
  })
}

/** By whoever recorded it, while it waits: everything stays as it is. Codes: `not_found`, `forbidden`, `conflict`. */
export async function withdrawAwareness(db: Db, act: IncidentAct & { changeId: string }): Promise<void> {
  await onIncident(db, act, async (tx, incident) => {
    const change = await selectPending(tx, incident, act.changeId)
    refuseClosed(incident)
    await endChange(tx, incident, { act, change, ending: withdrawnBy(act, change) })
  })
}

async function selectPending(
  tx: Tx,
  { id, workspace_id }: Incident,
  changeId: string,
): Promise<PendingChange> {
  const change = await tx
    .selectFrom('awareness_change')
    .selectAll()
    .where('workspace_id', '=', workspace_id)
    .where('incident_id', '=', id)
    .where('id', '=', changeId)
    .executeTakeFirst()
  if (change === undefined) throw new ServiceError('not_found')
  refuseDecided(change)
  return change
}
