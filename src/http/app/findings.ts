import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FindingDetail } from '../../contract/finding.ts'
import { NewDecision, type Decision, type TakenBack } from '../../contract/verdict.ts'
import {
  decideFindings,
  revokeDecisions,
  selectDecisionHistory,
  undoDecisions,
} from '../../findings/verdicts/decide-findings.ts'
import { explainFinding } from '../../views/evidence/explain-finding.ts'
import type { HttpDeps } from '../deps.ts'
import { read, write, type AppOperation } from './app-operation.ts'
import { idParameter, member, memberWho } from './member.ts'

/** Codes: those of `member`, `not_found`. */
async function getFinding(deps: HttpDeps, request: FastifyRequest): Promise<FindingDetail> {
  const { workspaceId, now } = await member(deps, request)
  return explainFinding(deps.db, { workspaceId, findingId: idParameter(request, 'finding'), now })
}

/** Codes: those of `member`, `not_found`. */
async function getDecisions(deps: HttpDeps, request: FastifyRequest): Promise<{ decisions: Decision[] }> {
  const { workspaceId, now } = await member(deps, request)
  const findingId = idParameter(request, 'finding')
  return { decisions: await selectDecisionHistory(deps.db, { workspaceId, findingId, now }) }
}

/** Codes: those of `memberWho`, `invalid_request`, `not_found`, `conflict`. */
async function postDecision(deps: HttpDeps, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const { workspaceId, actor, now } = await memberWho(deps, request, 'decide_verdicts')
  const recorded = await decideFindings(deps.db, { workspaceId, actor, now }, request.body as NewDecision)
  return reply.code(201).send(recorded)
}

/** Codes: those of `memberWho`, `not_found`, `conflict`. */
async function postRevocation(
  deps: HttpDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { workspaceId, actor, now } = await memberWho(deps, request, 'decide_verdicts')
  await revokeDecisions(
    deps.db,
    { workspaceId, actor, now },
    { decisionId: idParameter(request, 'decision') },
  )
  return reply.code(204).send()
}

/** Codes: those of `memberWho`, `not_found`, `conflict`. */
async function postBatchRevocation(deps: HttpDeps, request: FastifyRequest): Promise<TakenBack> {
  const { workspaceId, actor, now } = await memberWho(deps, request, 'decide_verdicts')
  const batchId = idParameter(request, 'batch')
  return { revoked: await revokeDecisions(deps.db, { workspaceId, actor, now }, { batchId }) }
}

/** Codes: those of `memberWho`, `not_found`, `conflict`. */
async function postUndo(deps: HttpDeps, request: FastifyRequest): Promise<TakenBack> {
  const { workspaceId, actor, now } = await memberWho(deps, request, 'decide_verdicts')
  return { revoked: await undoDecisions(deps.db, { workspaceId, actor, now }, idParameter(request, 'batch')) }
}

const workspace = '/workspaces/:slug'

/** Findings, and what members decide about them. */
export const findingOperations: readonly AppOperation[] = [
  read(`${workspace}/findings/:finding`, getFinding),
  read(`${workspace}/findings/:finding/decisions`, getDecisions),
  write('POST', `${workspace}/decisions`, postDecision, NewDecision),
  write('POST', `${workspace}/decisions/:decision/revoke`, postRevocation),
  write('POST', `${workspace}/decision-batches/:batch/revoke`, postBatchRevocation),
  write('POST', `${workspace}/decision-batches/:batch/undo`, postUndo),
]
