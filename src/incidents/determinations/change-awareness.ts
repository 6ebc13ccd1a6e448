import { ServiceError } from '../../contract/errors.ts'
import type { Regime } from '../../contract/alerts/events.ts'
import { reasonLength } from '../../contract/incidents/limits.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { selectApprovers } from './approvers.ts'
import { endChange, insertChange, noteChange, pendingOf, type NewTime } from './awareness-changes.ts'
import { onIncident, refuseClosed, type Incident, type IncidentAct } from '../record/lock-incident.ts'
import { noteAct } from '../record/note-act.ts'
import { InputReader } from '../../platform/input-reader.ts'
import { note } from '../record/tell.ts'
import { selectReportFacts, settleReports } from '../reports/settle-reports.ts'
import { isBeforeApplication, wantedReports } from '../reports/wanted-reports.ts'

/**
 * Changes since when an incident is known. An earlier time applies at once, and ends another time that is pending. A later one, or an earlier one that
 * ends or delays a clock, waits for a second person. Codes: `not_found`, `invalid_request`, `conflict` (closed; it would have to wait, and another
 * change is pending).
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
    const reason = input.text('reason', given.reason, reasonLength)
    if (awareAt.getTime() === incident.aware_at.getTime())
      input.refuse('awareAt', 'This is already the time of awareness.')
    input.finish()
    const waits = awareAt > incident.aware_at || (await delaysReports(tx, incident, awareAt))
    if (waits) {
      await refuseWhilePending(tx, incident)
      return { id: await requestAwareness(tx, incident, { act, awareAt, reason }), waits }
    }
    await supersedePending(tx, incident, act)
    const id = await insertChange(tx, incident, { act, awareAt, reason, state: 'in_force' })
    await noteChange(tx, incident, { act, awareAt, kind: 'awareness_changed' })
    await putIntoForce(tx, incident, { awareAt, now: act.now })
    return { id, waits }
  })
}

/**
 * Whether, with another time of awareness, a report that is open would no longer be, or be due later. An earlier time can do that as well: the Cyber
 * Resilience Act did not apply yet, or what is major under DORA was classified more than 24 hours after it (Delegated Regulation (EU) 2025/301, Art. 5(2)).
 */
async function delaysReports(tx: Tx, incident: Incident, awareAt: Date): Promise<boolean> {
  if (leavesTheAct(incident.aware_at, awareAt)) return true
  const facts = await selectReportFacts(tx, incident)
  const [before, after] = [wantedReports(facts), wantedReports({ ...facts, awareAt })]
  return before.some(({ regime, report, state, dueAt }) => {
    if (state !== 'open' || dueAt === null) return false
    const then = after.find((one) => one.regime === regime && one.report === report)
    return then?.state !== 'open' || then.dueAt === null || then.dueAt > dueAt
  })
}

/** Whether, with another time of awareness, the Cyber Resilience Act no longer asks for reports. */
export function leavesTheAct(from: Date, to: Date): boolean {
  return isBeforeApplication(to) && !isBeforeApplication(from)
}

/** Proposes a time of awareness that applies once a second person approves it. */
export async function requestAwareness(tx: Tx, incident: Incident, asked: NewTime): Promise<string> {
  const { act, awareAt } = asked
  const id = await insertChange(tx, incident, { ...asked, state: 'pending' })
  await noteChange(tx, incident, { act, awareAt, kind: 'awareness_requested' })
  await askApprovers(tx, incident, { ...act, what: 'awareness_requested' })
  return id
}

/** Proposes to switch a regime off, which happens once a second person approves it. Codes: `conflict` (another change is pending). */
export async function requestRegimeOff(
  tx: Tx,
  incident: Incident,
  { act, regime, reason }: { act: IncidentAct; regime: Regime; reason: string },
): Promise<void> {
  const { actor, now } = act
  await refuseWhilePending(tx, incident)
  await insertChange(tx, incident, { act, awareAt: incident.aware_at, reason, regime, state: 'pending' })
  const data = { regime, reason }
  await noteAct(tx, incident, { actor, now, kind: 'regime_off_requested', data, after: { regime } })
  await askApprovers(tx, incident, { ...act, what: 'regime_off_requested' })
}

/**
 * Ends another time that waits, as an earlier one takes effect: it was asked for with a time in mind that no longer counts, and a second person would
 * approve more than was asked. Its recorder is told, and can ask again. The end of a regime that waits is about no time, and stays.
 */
async function supersedePending(tx: Tx, incident: Incident, act: IncidentAct): Promise<void> {
  const change = await pendingOf(tx, incident).where('regime', 'is', null).executeTakeFirst()
  if (change === undefined) return
  const ending = { state: 'superseded', selfApproved: false, comment: null } as const
  await endChange(tx, incident, { act, change, ending })
  const to = [change.recorded_by].filter((personId) => personId !== act.actor.id)
  await note(tx, incident, { what: 'awareness_superseded', to, by: act.actor.name, now: act.now })
}

export async function putIntoForce(
  tx: Tx,
  incident: Incident,
  { awareAt, now }: { awareAt: Date; now: Date },
): Promise<void> {
  await tx.updateTable('incident').set({ aware_at: awareAt }).where('id', '=', incident.id).execute()
  await settleReports(tx, { ...incident, aware_at: awareAt }, now)
}

async function refuseWhilePending(tx: Tx, incident: Incident): Promise<void> {
  const pending = await pendingOf(tx, incident).executeTakeFirst()
  if (pending === undefined) return
  throw new ServiceError('conflict', {
    message: `The change of ${pending.regime === null ? 'awareness' : 'a regime'} that ${pending.recorded_by_name} recorded waits for approval.`,
  })
}

async function askApprovers(
  tx: Tx,
  incident: Incident,
  { actor, now, what }: IncidentAct & { what: 'awareness_requested' | 'regime_off_requested' },
): Promise<void> {
  const approvers = await selectApprovers(tx, incident.workspace_id)
  const to = approvers.map(({ personId }) => personId).filter((personId) => personId !== actor.id)
  await note(tx, incident, { what, to, by: actor.name, now })
}
