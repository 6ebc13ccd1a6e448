import type { Selectable } from 'kysely'
import { ServiceError } from '../../contract/errors.ts'
import type { Db, Tx } from '../../database/connection.ts'
import type { Tables } from '../../database/tables.ts'
import { onIncident, refuseClosed, type Incident, type IncidentAct } from '../record/lock-incident.ts'
import { noteAct } from '../record/note-act.ts'
import { note } from '../record/tell.ts'
import { settleReports } from '../reports/settle-reports.ts'
import { supersede } from './record-determination.ts'
import {
  endingColumns,
  judgeDecision,
  refuseDecided,
  withdrawnBy,
  type Decision,
  type Ending,
} from './second-person.ts'

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
  await onIncident(db, act, async (tx, incident) => {
    const determination = await selectPending(tx, incident, act.determinationId)
    refuseClosed(incident)
    const ending = await judgeDecision(tx, act, determination, decision)
    if (decision.approve) await supersede(tx, incident, determination.scope)
    await endDetermination(tx, incident, { act, determination, ending })
    const to = ending.selfApproved ? [] : [determination.recorded_by]
    const what = `determination_${ending.state}` as const
    await note(tx, incident, { what, to, by: act.actor.name, now: act.now })
  })
}

/** By its author. Whatever it has started continues. Codes: `not_found`, `forbidden`, `conflict`. */
export async function withdrawDetermination(
  db: Db,
  act: IncidentAct & { determinationId: string },
): Promise<void> {
  await onIncident(db, act, async (tx, incident) => {
    const determination = await selectPending(tx, incident, act.determinationId)
    await endDetermination(tx, incident, { act, determination, ending: withdrawnBy(act, determination) })
  })
}

/** In its row, the timeline and the audit trail. */
async function endDetermination(
  tx: Tx,
  incident: Incident,
  { act, determination, ending }: { act: IncidentAct; determination: Determination; ending: Ending },
): Promise<void> {
  const { actor, now } = act
  const { state, selfApproved } = ending
  await tx
    .updateTable('determination')
    .set(endingColumns(act, ending))
    .where('id', '=', determination.id)
    .execute()
  await settleReports(tx, incident, now)
  const { id, scope, value } = determination
  const data = { determinationId: id, scope, value, state, selfApproved }
  const kind = state === 'withdrawn' ? 'determination_withdrawn' : 'determination_decided'
  const action = `incident.determination_${state}` as const
  await noteAct(tx, incident, { actor, now, kind, data, action, after: data })
}

async function selectPending(
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
  refuseDecided(determination)
  return determination
}
