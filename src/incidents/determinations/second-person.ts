import type { Selectable } from 'kysely'
import { ServiceError } from '../../contract/errors.ts'
import { incidentLimits, reasonLength } from '../../contract/incidents/limits.ts'
import { shownSecond } from '../../contract/shown-time.ts'
import type { Tx } from '../../database/connection.ts'
import type { DecisionColumns } from '../../database/tables/incidents.ts'
import { newId } from '../../platform/random.ts'
import type { Incident, IncidentAct } from '../record/lock-incident.ts'
import { lockRole } from '../../workspace/lock-role.ts'
import { InputReader } from '../../platform/input-reader.ts'
import { approvalFor, selectApprovers } from './approvers.ts'

export type Decision = {
  approve: boolean
  /** A rejection needs one. */
  comment?: string
  /** An owner's reason to approve what they recorded, where there is no second person. They have signed in once more. */
  withoutSecondPerson?: string
}

/** Of the row of what was recorded. */
type Recorded = Pick<Selectable<DecisionColumns>, 'recorded_by' | 'recorded_by_name'>

/** How something that waited has ended. */
export type Ending<State extends string = 'approved' | 'rejected' | 'withdrawn'> = {
  state: State
  /** By an owner, without a second person. */
  selfApproved: boolean
  comment: string | null
}

/**
 * Refuses members who may not decide what was recorded, by the roles that they have now, which are locked until the transaction ends. Codes:
 * `forbidden` (with the reason), `invalid_request`.
 */
export async function judgeDecision(
  tx: Tx,
  { workspaceId, actor }: IncidentAct,
  recorded: Recorded,
  decision: Decision,
): Promise<Ending<'approved' | 'rejected'>> {
  await lockRole(tx, { workspaceId, actor }, 'approve_incidents')
  const approvers = await selectApprovers(tx, workspaceId)
  const decider = approvers.find(({ personId }) => personId === actor.id)
  if (decider === undefined) throw new ServiceError('forbidden')
  const input = new InputReader()
  const approval = approvalFor(decider, recorded.recorded_by, approvers)
  if (approval.allowed) {
    const comment = readComment(input, decision)
    input.finish()
    return { state: decision.approve ? 'approved' : 'rejected', selfApproved: false, comment }
  }
  if (!approval.override || !decision.approve || decision.withoutSecondPerson === undefined) {
    throw new ServiceError('forbidden', { message: approval.refusal ?? 'A second person has to decide.' })
  }
  const comment = input.text('withoutSecondPerson', decision.withoutSecondPerson, reasonLength)
  input.finish()
  return { state: 'approved', selfApproved: true, comment }
}

function readComment(input: InputReader, { approve, comment = '' }: Decision): string | null {
  const text = input.text('comment', comment, { min: 0, max: incidentLimits.reasonCharacters })
  if (!approve && text === '') input.refuse('comment', 'A rejection needs a comment that says why.')
  return text === '' ? null : text
}

/** The end of what its author withdraws. Codes: `forbidden` (for others). */
export function withdrawnBy({ actor }: IncidentAct, recorded: Recorded): Ending {
  if (recorded.recorded_by === actor.id) return { state: 'withdrawn', selfApproved: false, comment: null }
  throw new ServiceError('forbidden', {
    message: `Only ${recorded.recorded_by_name}, who recorded it, can withdraw it. You can reject it.`,
  })
}

/** The columns of what is recorded, by which it is decided later. */
export function recordedColumns({ workspace_id, id: incident_id }: Incident, { actor, now }: IncidentAct) {
  return {
    id: newId(now),
    workspace_id,
    incident_id,
    recorded_by: actor.id,
    recorded_by_name: actor.name,
    recorded_at: now,
    decided_by: null,
    decided_by_name: null,
    decided_at: null,
    comment: null,
  }
}

/** The columns of how it ends. */
export function endingColumns<State extends string>(
  { actor, now }: IncidentAct,
  { state, selfApproved, comment }: Ending<State>,
) {
  return {
    state,
    decided_by: actor.id,
    decided_by_name: actor.name,
    decided_at: now,
    comment,
    self_approved: selfApproved,
  }
}

type Waited = { state: string } & Pick<Selectable<DecisionColumns>, 'decided_by_name' | 'decided_at'>

/** Codes: `conflict` (it is no longer pending; says what became of it). */
export function refuseDecided({ state, decided_by_name, decided_at }: Waited): void {
  if (state === 'pending') return
  const by = decided_by_name === null ? '' : ` by ${decided_by_name}`
  const at = decided_at === null ? '' : ` at ${shownSecond(decided_at)}`
  throw new ServiceError('conflict', { message: `This no longer waits: it was ${state}${by}${at}.` })
}
