import { ServiceError } from '../../contract/errors.ts'
import { reasonLength } from '../../contract/incidents/limits.ts'
import { negativeValues } from '../../contract/incidents/words.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { InputReader } from '../../platform/input-reader.ts'
import { enqueueOpenings } from '../../workspace/monitoring/enqueue-openings.ts'
import { insertChange } from '../determinations/awareness-changes.ts'
import { leavesTheAct, requestAwareness } from '../determinations/change-awareness.ts'
import type { Incident, IncidentAct } from '../record/lock-incident.ts'
import { noteAct } from '../record/note-act.ts'
import { selectRegimeSettings } from '../regimes/settings.ts'
import { settleReports } from '../reports/settle-reports.ts'
import { beforeOpenings } from './before-openings.ts'

export type Reopening = {
  reason: string
  /** With the same facts its reports return with their times; with new evidence a new cycle of reports begins. */
  as: 'same_facts' | 'new_evidence'
  /**
   * Of the new evidence; now when it is left out. A time so early that the Cyber Resilience Act did not apply yet would start no clock: clocks run
   * from now until a second person approves that time.
   */
  awareAt?: string
}

/** Codes: `not_found`, `invalid_request`, `conflict` (open already; another open incident has the family and vulnerability). */
export async function reopenIncident(db: Db, act: IncidentAct, given: Reopening): Promise<void> {
  await beforeOpenings(db, act, (tx, incident) => reopen(tx, incident, { act, given }))
}

async function reopen(
  tx: Tx,
  incident: Incident,
  { act, given }: { act: IncidentAct; given: Reopening },
): Promise<void> {
  const { actor, now } = act
  if (incident.status === 'open')
    throw new ServiceError('conflict', { message: `${incident.reference} is open.` })
  const input = new InputReader()
  const reason = input.text('reason', given.reason, reasonLength)
  const isNew = given.as === 'new_evidence'
  const asked = isNew && given.awareAt !== undefined ? input.time('awareAt', given.awareAt, { now }) : now
  input.finish()
  const waits = isNew && leavesTheAct(incident.aware_at, asked)
  const awareAt = waits ? now : asked
  await refuseWhereTaken(tx, incident)
  const reopened = isNew
    ? { ...incident, aware_at: awareAt, cycle: incident.cycle + 1, measure_available_at: null }
    : incident
  await setOpen(tx, reopened, now)
  if (isNew) await beginCycle(tx, incident, { act, awareAt, reason })
  else await bringBack(tx, incident, act)
  await settleReports(tx, reopened, now)
  const data = { reason, as: given.as, awareAt: isNew ? awareAt.toISOString() : null, cycle: reopened.cycle }
  const after = { as: given.as, cycle: reopened.cycle }
  await noteAct(tx, incident, { actor, now, kind: 'reopened', data, after })
  if (waits) await requestAwareness(tx, reopened, { act, awareAt: asked, reason })
}

async function setOpen(
  tx: Tx,
  { id, aware_at, cycle, measure_available_at }: Incident,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('incident')
    .set({ aware_at, cycle, measure_available_at, untaken_since: now, untaken_told: 0 })
    .set({ status: 'open', closed_at: null, closed_by_name: null, close_reason: null })
    .where('id', '=', id)
    .execute()
  const families = await tx
    .updateTable('incident_family')
    .set({ is_open: true })
    .where('incident_id', '=', id)
    .returning(['workspace_id as workspaceId', 'family_id as familyId'])
    .execute()
  // its timeline says what has become of what it is about
  await enqueueOpenings(tx, families, { now })
}

/**
 * Earlier reasons to end reports no longer count: the reports return with their original times. Only an approved decision that no report
 * is needed is replaced; a rejected classification stays rejected, and what was never classified as major has no reports to return.
 */
async function bringBack(tx: Tx, { id, cycle }: Incident, { actor, now }: IncidentAct): Promise<void> {
  await tx
    .updateTable('determination')
    .set({ state: 'superseded' })
    .where('incident_id', '=', id)
    .where('cycle', '=', cycle)
    .where('state', '=', 'approved')
    .where('value', 'in', [...negativeValues])
    .execute()
  await tx
    .updateTable('incident_regime')
    .set({ is_active: true, waiver: null, reason: null, changed_at: now, changed_by_name: actor.name })
    .where('incident_id', '=', id)
    .where((row) => row.or([row('is_active', '=', false), row('waiver', 'is not', null)]))
    .where((row) => row.or([row('regime', '<>', 'dora'), row('classified_at', 'is not', null)]))
    .where((row) =>
      row.exists(
        row
          .selectFrom('regime_report')
          .select('regime_report.id')
          .whereRef('regime_report.incident_id', '=', 'incident_regime.incident_id')
          .whereRef('regime_report.regime', '=', 'incident_regime.regime')
          .where('regime_report.cycle', '=', cycle),
      ),
    )
    .execute()
}

/** No earlier classification or waiver applies to the new evidence. */
async function beginCycle(
  tx: Tx,
  incident: Incident,
  { act, awareAt, reason }: { act: IncidentAct; awareAt: Date; reason: string },
): Promise<void> {
  await tx
    .updateTable('incident_regime')
    .set({ aware_at: null, classified_at: null, waiver: null })
    .where('incident_id', '=', incident.id)
    .execute()
  await tx
    .updateTable('incident_regime')
    .set({ is_active: false, reason })
    .where('incident_id', '=', incident.id)
    .where('regime', '=', 'dora')
    .execute()
  await restartCra(tx, incident, act)
  await insertChange(tx, incident, { act, awareAt, reason, state: 'in_force' })
}

/**
 * That the Cyber Resilience Act was switched off was about the earlier evidence: it applies by itself, as when an incident opens. The other regimes
 * apply as members have said.
 */
async function restartCra(tx: Tx, incident: Incident, { actor, now }: IncidentAct): Promise<void> {
  if (!(await selectRegimeSettings(tx, incident.workspace_id)).cra) return
  const { numUpdatedRows } = await tx
    .updateTable('incident_regime')
    .set({ is_active: true, reason: null, changed_at: now, changed_by_name: actor.name })
    .where('incident_id', '=', incident.id)
    .where('regime', '=', 'cra')
    .where('is_active', '=', false)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return
  const data = { regime: 'cra', reason: null, awareAt: null }
  const after = { regime: 'cra', awareAt: null }
  await noteAct(tx, incident, { actor, now, kind: 'regime_on', data, after })
}

async function refuseWhereTaken(tx: Tx, { id, workspace_id, is_exercise }: Incident): Promise<void> {
  if (is_exercise) return
  const taken = await tx
    .selectFrom('incident_family as mine')
    .innerJoin('incident_family as other', (join) =>
      join
        .onRef('other.workspace_id', '=', 'mine.workspace_id')
        .onRef('other.family_id', '=', 'mine.family_id')
        .onRef('other.vuln_key', '=', 'mine.vuln_key')
        .on('other.is_open', '=', true)
        .on('other.is_exercise', '=', false),
    )
    .innerJoin('incident as i', 'i.id', 'other.incident_id')
    .select('i.reference')
    .where('mine.workspace_id', '=', workspace_id)
    .where('mine.incident_id', '=', id)
    .executeTakeFirst()
  if (taken === undefined) return
  throw new ServiceError('conflict', {
    message: `${taken.reference} is open on the same vulnerability and family. Work on that one.`,
  })
}
