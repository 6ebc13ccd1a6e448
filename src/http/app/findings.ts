import type { FastifyRequest } from 'fastify'
import type { FindingDetail } from '../../contract/finding.ts'
import { explainFinding } from '../../matching/explain-finding.ts'
import type { HttpDeps } from '../deps.ts'
import { read, type AppOperation } from './app-operation.ts'
import { idParameter, member } from './member.ts'

/** Codes: those of `member`, `not_found`. */
async function getFinding(deps: HttpDeps, request: FastifyRequest): Promise<FindingDetail> {
  const { workspaceId } = await member(deps, request)
  return explainFinding(deps.db, workspaceId, idParameter(request, 'finding'))
}

export const findingOperations: readonly AppOperation[] = [
  read('/workspaces/:slug/findings/:finding', getFinding),
]
