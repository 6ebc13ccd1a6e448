import type { Selectable } from 'kysely'
import { ServiceError } from '../../contract/errors.ts'
import type { DeterminationState } from '../../contract/incidents/shapes.ts'
import type { Db, Tx } from '../../database/connection.ts'
import type { Tables } from '../../database/tables.ts'
import { onIncident, refuseClosed, type Incident, type IncidentAct } from '../record/lock-incident.ts'
import { noteAct } from '../record/note-act.ts'
import { InputReader } from '../../platform/input-reader.ts'
import { note } from '../record/tell.ts'
import { settleReports } from '../reports/settle-reports.ts'
import { supersede } from './record-determination.ts'
import { decidedAlready, judgeDecision, type Decision } from './second-person.ts'

type Determination = Selectable<Tables['determination']>

/**
 * Approves or rejects a pending determination. Codes: `not_found`, `forbidden` (for its author, and for those who may not
 * approve), `invalid_request`, `conflict` (no longer pending; closed).
 */
export async function decideDetermination(
  db: Db,
  act: IncidentAct & { determinationId: string },
  decision: Decision,
): Promise<void> {
  await onIncident(db, act, (tx, incident) => decide(tx, incident, act, decision))
}

async function decide(
  tx: Tx,
  incident: Incident,
  act: IncidentAct & { determinationId: string },
  decision: Decision,
): Promise<void> {
  const determination = await selectDetermination(tx, incident, act.determinationId)
  refuseDecided(determination)
  refuseClosed(incident)
  const recorded = { recordedBy: determination.recorded_by, recordedByName: determination.recorded_by_name }
  const judged = await judgeDecision(tx, act, { recorded, decision, input: new InputReader() })
  const state = decision.approve ? 'approved' : 'rejected'
  if (decision.approve) await supersede(tx, incident, determination.scope)
  await settle(tx, incident, { determination, state, act, ...judged })
  const what = decision.approve ? 'determination_approved' : 'determination_rejected'
  const to = judged.selfApproved ? [] : [determination.recorded_by]
  await note(tx, incident, { what, to, by: act.actor.name, now: act.now })
}

/** By its author. Whatever it has started continues. Codes: `not_found`, `forbidden`, `conflict`. */
export async function withdrawDetermination(
  db: Db,
  act: IncidentAct & { determinationId: string },
): Promise<void> {
  await onIncident(db, act, async (tx, incident) => {
    const determination = await selectDetermination(tx, incident, act.determinationId)
    refuseDecided(determination)
    if (determination.recorded_by !== act.actor.id) {
      throw new ServiceError('forbidden', {
        message: `Only ${determination.recorded_by_name}, who recorded it, can withdraw it. You can reject it.`,
      })
    }
    await settle(tx, incident, { determination, state: 'withdrawn', act, selfApproved: false, comment: null })
  })
}

type Settling = {
  determination: Determination
  state: Exclude<DeterminationState, 'pending' | 'superseded'>
  act: IncidentAct
  selfApproved: boolean
  comment: string | null
}

async function settle(
  tx: Tx,
  incident: Incident,
  { determination, state, act, selfApproved, comment }: Settling,
): Promise<void> {
  const { actor, now } = act
  await tx
    .updateTable('determination')
    .set({
      state,
      decided_by: actor.id,
      decided_by_name: actor.name,
      decided_at: now,
      comment,
      self_approved: selfApproved,
    })
    .where('id', '=', determination.id)
    .execute()
  await settleReports(tx, incident, now)
  const { id, scope, value } = determination
  const data = { determinationId: id, scope, value, state, selfApproved }
  const kind = state === 'withdrawn' ? 'determination_withdrawn' : 'determination_decided'
  const action = `incident.determination_${state}` as const
  await noteAct(tx, incident, { actor, now, kind, data, action, after: data })
}

async function selectDetermination(
  tx: Tx,
  { id, workspace_id }: Incident,
  determinationId: string,
): Promise<Determination> {
  const determination = await tx
    .selectFrom('determination')
    .selectAll()
    .where('workspace_id', '=', workspace_id)
    .where('incident_id', '=', id)
    .where('id', '=', determinationId)
    .executeTakeFirst()
  if (determination === undefined) throw new ServiceError('not_found')
  return determination
}

function refuseDecided({ state, decided_by_name, decided_at }: Determination): void {
  if (state !== 'pending') throw decidedAlready({ state, by: decided_by_name, at: decided_at })
}
