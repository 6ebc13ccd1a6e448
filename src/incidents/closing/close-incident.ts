import { ServiceError } from '../../contract/errors.ts'
import { incidentLimits } from '../../contract/incidents/limits.ts'
import type { CloseBlocker } from '../../contract/incidents/words.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { refuseClosed, type Incident, type IncidentAct } from '../record/lock-incident.ts'
import { noteAct } from '../record/note-act.ts'
import { InputReader } from '../../platform/input-reader.ts'
import { beforeOpenings } from './before-openings.ts'
import { closingBlockers } from './blockers.ts'

const blockerWords: Record<CloseBlocker, string> = {
  determination_missing: 'no determination under the Cyber Resilience Act has been approved',
  determination_pending: 'a determination waits for approval',
  awareness_pending: 'a change of awareness or of a regime waits for approval',
  reports_open: 'reports are neither submitted nor not required',
}

/** Codes: `not_found`, `invalid_request`, `conflict` (closed already, or what keeps it open). */
export async function closeIncident(db: Db, act: IncidentAct, given: { reason: string }): Promise<void> {
  await beforeOpenings(db, act, (tx, incident) => close(tx, incident, { act, given }))
}

async function close(
  tx: Tx,
  incident: Incident,
  { act: { actor, now }, given }: { act: IncidentAct; given: { reason: string } },
): Promise<void> {
  refuseClosed(incident)
  const input = new InputReader()
  const reason = input.text('reason', given.reason, { min: 1, max: incidentLimits.reasonCharacters })
  input.finish()
  const blockers = await selectBlockers(tx, incident)
  if (blockers.length > 0) {
    const why = blockers.map((blocker) => blockerWords[blocker]).join('; ')
    throw new ServiceError('conflict', {
      message: `It cannot be closed yet: ${why}.`,
      detail: blockers.join(', '),
    })
  }
  await tx
    .updateTable('incident')
    .set({ status: 'closed', closed_at: now, closed_by_name: actor.name, close_reason: reason })
    .where('id', '=', incident.id)
    .execute()
  await tx
    .updateTable('incident_family')
    .set({ is_open: false })
    .where('incident_id', '=', incident.id)
    .execute()
  await noteAct(tx, incident, { actor, now, kind: 'closed', data: { reason } })
}

async function selectBlockers(tx: Tx, { id, cycle }: Incident): Promise<CloseBlocker[]> {
  const regimes = await tx
    .selectFrom('incident_regime')
    .select(['regime', 'is_active as isActive'])
    .where('incident_id', '=', id)
    .execute()
  const determinations = await tx
    .selectFrom('determination')
    .select(['scope', 'state'])
    .where('incident_id', '=', id)
    .where('cycle', '=', cycle)
    .execute()
  const pending = await tx
    .selectFrom('awareness_change')
    .select('id')
    .where('incident_id', '=', id)
    .where('state', '=', 'pending')
    .executeTakeFirst()
  const reports = await tx
    .selectFrom('regime_report')
    .select(['regime', 'state'])
    .where('incident_id', '=', id)
    .where('cycle', '=', cycle)
    .execute()
  return closingBlockers({ regimes, determinations, isAwarenessPending: pending !== undefined, reports })
}
