import { Type } from 'typebox'
import { FindingDetail } from './shapes.ts'
import { NewDecision, Decision, RecordedDecisions, TakenBack } from './verdict.ts'
import { answer, nothing, operation } from '../operation.ts'

const finding = '/workspaces/:slug/findings/:finding'

export const getFinding = operation({
  method: 'GET',
  path: finding,
  permission: 'any_member',
  answer: answer(FindingDetail),
})

/** Newest first. */
export const listDecisions = operation({
  method: 'GET',
  path: `${finding}/decisions`,
  permission: 'any_member',
  answer: answer(Type.Object({ decisions: Type.Array(Decision) })),
})

/** On one or many findings. */
export const decideFindings = operation({
  method: 'POST',
  path: '/workspaces/:slug/decisions',
  permission: 'decide_verdicts',
  body: NewDecision,
  /** 5 000 findings with the longest comment. */
  bodyBytes: 512 * 1024,
  answer: answer(RecordedDecisions, 201),
})

/** 409 `conflict` when it is not in force. */
export const revokeDecision = operation({
  method: 'POST',
  path: '/workspaces/:slug/decisions/:decision/revoke',
  permission: 'decide_verdicts',
  answer: nothing,
})

const batch = '/workspaces/:slug/decision-batches/:batch'

/** The decisions of one act that are in force. */
export const revokeBatch = operation({
  method: 'POST',
  path: `${batch}/revoke`,
  permission: 'decide_verdicts',
  answer: answer(TakenBack),
})

/** As `revokeBatch`, and what the decisions replaced is in force again. */
export const undoBatch = operation({
  method: 'POST',
  path: `${batch}/undo`,
  permission: 'decide_verdicts',
  answer: answer(TakenBack),
})
