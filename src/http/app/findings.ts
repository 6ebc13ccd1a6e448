import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FindingDetail } from '../../contract/finding.ts'
import { NewDecision, type Decision } from '../../contract/verdict.ts'
import { decideFindings, revokeDecision, selectDecisionHistory } from '../../matching/decide-findings.ts'
import { explainFinding } from '../../matching/explain-finding.ts'
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
  const decided = await decideFindings(deps.db, { workspaceId, actor, now }, request.body as NewDecision)
  return reply.code(201).send({ decided })
}

/** Codes: those of `memberWho`, `not_found`, `conflict`. */
async function postRevocation(
  deps: HttpDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { workspaceId, actor, now } = await memberWho(deps, request, 'decide_verdicts')
  await revokeDecision(deps.db, { workspaceId, actor, now, decisionId: idParameter(request, 'decision') })
  return reply.code(204).send()
}

const workspace = '/workspaces/:slug'

/** Findings, and what members decide about them. */
export const findingOperations: readonly AppOperation[] = [
  read(`${workspace}/findings/:finding`, getFinding),
  read(`${workspace}/findings/:finding/decisions`, getDecisions),
  write('POST', `${workspace}/decisions`, postDecision, NewDecision),
  write('POST', `${workspace}/decisions/:decision/revoke`, postRevocation),
]
