import { ServiceError } from '../../contract/errors.ts'
import { shortestReasoning, type AwarenessState } from '../../contract/incidents.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { newId } from '../../platform/random.ts'
import { selectApprovers } from '../determinations/approvers.ts'
import { decidedAlready, judgeDecision, type Decision } from '../determinations/second-person.ts'
import { onIncident, refuseClosed, type Incident, type IncidentAct } from '../record/lock-incident.ts'
import { noteAct } from '../record/note-act.ts'
import { InputReader } from '../record/read-input.ts'
import { note } from '../record/tell.ts'
import { settleReports } from '../reports/settle-reports.ts'
import { isBeforeApplication } from '../reports/wanted-reports.ts'

/**
 * Changes from when an incident was known. Earlier holds at once. Later, or so early that the Cyber Resilience Act did not apply yet, ends or
 * delays clocks and so waits for a second person. Codes: `not_found`, `invalid_request`, `conflict` (closed; another change waits).
 */
export async function changeAwareness(
  db: Db,
  act: IncidentAct,
  given: { awareAt: string; reason: string },
): Promise<{ id: string; waits: boolean }> {
  return onIncident(db, act, async (tx, incident) => {
    refuseClosed(incident)
    const input = new InputReader()
    const awareAt = input.time('awareAt', given.awareAt, { now: act.now })
    const reason = input.text('reason', given.reason, { min: shortestReasoning, max: 4_000 })
    if (awareAt.getTime() === incident.aware_at.getTime())
      input.refuse('awareAt', 'This is already the time of awareness.')
    input.finish()
    await refuseWhilePending(tx, incident)
    const waits = awareAt > incident.aware_at || leavesTheAct(incident.aware_at, awareAt)
    if (waits) return { id: await requestAwareness(tx, incident, { act, awareAt, reason }), waits }
    const id = await insertChange(tx, incident, { act, awareAt, reason, state: 'in_force' })
    await noteChange(tx, incident, { act, awareAt, kind: 'awareness_changed' })
    await putIntoForce(tx, incident, { awareAt, now: act.now })
    return { id, waits }
  })
}

/** Whether another time of awareness means that the Cyber Resilience Act asks for no reports any more. */
export function leavesTheAct(from: Date, to: Date): boolean {
  return isBeforeApplication(to) && !isBeforeApplication(from)
}

type NewTime = { act: IncidentAct; awareAt: Date; reason: string }

/** Asks for a time of awareness that holds once a second person approves it. */
export async function requestAwareness(tx: Tx, incident: Incident, asked: NewTime): Promise<string> {
  const { act, awareAt } = asked
  const id = await insertChange(tx, incident, { ...asked, state: 'pending' })
  await noteChange(tx, incident, { act, awareAt, kind: 'awareness_requested' })
  await askApprovers(tx, incident, act)
  return id
}

/** `incident.aware_at` is the time before. */
export async function insertChange(
  tx: Tx,
  incident: Incident,
  { act, awareAt, reason, state }: NewTime & { state: 'pending' | 'in_force' },
): Promise<string> {
  const id = newId(act.now)
  await tx
    .insertInto('awareness_change')
    .values({
      id,
      workspace_id: incident.workspace_id,
      incident_id: incident.id,
      from_at: incident.aware_at,
      to_at: awareAt,
      reason,
      state,
      recorded_by: act.actor.id,
      recorded_by_name: act.actor.name,
      recorded_at: act.now,
      decided_by: null,
      decided_by_name: null,
      decided_at: null,
      comment: null,
    })
    .execute()
  return id
}

/** Approves or rejects a change of awareness that waits. Codes as for determinations. */
export async function decideAwareness(
  db: Db,
  act: IncidentAct & { changeId: string },
  decision: Decision,
): Promise<void> {
  await onIncident(db, act, async (tx, incident) => {
    const change = await tx
      .selectFrom('awareness_change')
      .selectAll()
      .where('workspace_id', '=', incident.workspace_id)
      .where('incident_id', '=', incident.id)
      .where('id', '=', act.changeId)
      .executeTakeFirst()
    if (change === undefined) throw new ServiceError('not_found')
    if (change.state !== 'pending') {
      throw decidedAlready({ state: change.state, by: change.decided_by_name, at: change.decided_at })
    }
    refuseClosed(incident)
    const recorded = { recordedBy: change.recorded_by, recordedByName: change.recorded_by_name }
    const judged = await judgeDecision(tx, act, { recorded, decision, input: new InputReader() })
    const state: AwarenessState = decision.approve ? 'approved' : 'rejected'
    await tx
      .updateTable('awareness_change')
      .set({
        state,
        decided_by: act.actor.id,
        decided_by_name: act.actor.name,
        decided_at: act.now,
        comment: judged.comment,
        self_approved: judged.selfApproved,
      })
      .where('id', '=', change.id)
      .execute()
    if (decision.approve) await putIntoForce(tx, incident, { awareAt: change.to_at, now: act.now })
    const data = { state, selfApproved: judged.selfApproved }
    await noteChange(tx, incident, { act, awareAt: change.to_at, kind: 'awareness_decided', data })
    const to = judged.selfApproved ? [] : [change.recorded_by]
    await note(tx, incident, { what: `awareness_${state}`, to, by: act.actor.name, now: act.now })
  })
}

type Change = {
  act: IncidentAct
  awareAt: Date
  kind: 'awareness_requested' | 'awareness_changed' | 'awareness_decided'
  data?: Record<string, unknown>
}

async function noteChange(tx: Tx, incident: Incident, { act, awareAt, kind, data }: Change): Promise<void> {
  const { actor, now } = act
  const from = incident.aware_at.toISOString()
  const change = { from, to: awareAt.toISOString(), ...data }
  await noteAct(tx, incident, {
    ...{ actor, now, kind, data: change },
    before: { awareAt: from },
    after: { awareAt: change.to, ...data },
  })
}

async function putIntoForce(
  tx: Tx,
  incident: Incident,
  { awareAt, now }: { awareAt: Date; now: Date },
): Promise<void> {
  await tx.updateTable('incident').set({ aware_at: awareAt }).where('id', '=', incident.id).execute()
  await settleReports(tx, { ...incident, aware_at: awareAt }, now)
}

async function refuseWhilePending(tx: Tx, { id }: Incident): Promise<void> {
  const pending = await tx
    .selectFrom('awareness_change')
    .select('recorded_by_name')
    .where('incident_id', '=', id)
    .where('state', '=', 'pending')
    .executeTakeFirst()
  if (pending === undefined) return
  throw new ServiceError('conflict', {
    message: `The change of awareness that ${pending.recorded_by_name} recorded waits for approval.`,
  })
}

async function askApprovers(tx: Tx, incident: Incident, { actor, now }: IncidentAct): Promise<void> {
  const approvers = await selectApprovers(tx, incident.workspace_id)
  const to = approvers.map(({ personId }) => personId).filter((personId) => personId !== actor.id)
  await note(tx, incident, { what: 'awareness_requested', to, by: actor.name, now })
}
