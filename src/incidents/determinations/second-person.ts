import { ServiceError } from '../../contract/errors.ts'
import { incidentLimits } from '../../contract/incidents/limits.ts'
import { shownSecond } from '../../contract/shown-time.ts'
import type { Tx } from '../../database/connection.ts'
import type { IncidentAct } from '../record/lock-incident.ts'
import type { InputReader } from '../../platform/input-reader.ts'
import { approvalFor, selectApprovers } from './approvers.ts'

export type Decision = {
  approve: boolean
  /** A rejection needs one. */
  comment?: string
  /** An owner's reason to approve what they recorded, where there is no second person. They have signed in once more. */
  withoutSecondPerson?: string
}

type Recorded = { recordedBy: string; recordedByName: string }

/**
 * Refuses members who may not decide what was recorded, by their present roles. Returns whether an owner approves without a second person,
 * and the comment. Codes: `forbidden` (with the reason), `invalid_request`.
 */
export async function judgeDecision(
  tx: Tx,
  { workspaceId, actor }: IncidentAct,
  { recorded, decision, input }: { recorded: Recorded; decision: Decision; input: InputReader },
): Promise<{ selfApproved: boolean; comment: string | null }> {
  const approvers = await selectApprovers(tx, workspaceId)
  const decider = approvers.find(({ personId }) => personId === actor.id)
  if (decider === undefined) throw new ServiceError('forbidden')
  const approval = approvalFor(decider, recorded.recordedBy, approvers)
  if (approval.allowed) {
    const comment = readComment(input, decision)
    input.finish()
    return { selfApproved: false, comment }
  }
  if (!approval.override || !decision.approve || decision.withoutSecondPerson === undefined) {
    throw new ServiceError('forbidden', { message: approval.refusal ?? 'A second person has to decide.' })
  }
  const comment = input.text('withoutSecondPerson', decision.withoutSecondPerson, {
    min: 20,
    max: incidentLimits.reasonCharacters,
  })
  input.finish()
  return { selfApproved: true, comment }
}

function readComment(input: InputReader, { approve, comment = '' }: Decision): string | null {
  const text = input.text('comment', comment, { min: 0, max: incidentLimits.reasonCharacters })
  if (!approve && text === '') input.refuse('comment', 'A rejection needs a comment that says why.')
  return text === '' ? null : text
}

/** What became of something that is no longer pending. */
export function decidedAlready(decided: { state: string; by: string | null; at: Date | null }): ServiceError {
  const by = decided.by === null ? '' : ` by ${decided.by}`
  const at = decided.at === null ? '' : ` at ${shownSecond(decided.at)}`
  return new ServiceError('conflict', {
    message: `This no longer waits: it was ${decided.state}${by}${at}.`,
  })
}
