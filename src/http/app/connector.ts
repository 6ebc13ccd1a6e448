import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ConnectorReport } from '../../contract/connector.ts'
import { dismissRefusal } from '../../sbom/connector/refusals.ts'
import { selectConnectorReport } from '../../sbom/connector/report.ts'
import { selectFamily } from '../../workspace/families/select-families.ts'
import type { HttpDeps } from '../deps.ts'
import { read, write, type AppOperation } from './app-operation.ts'
import { idParameter, member, memberWho } from './member.ts'

async function getConnector(deps: HttpDeps, request: FastifyRequest): Promise<ConnectorReport> {
  const { workspaceId } = await member(deps, request)
  const { id: familyId } = await selectFamily(deps.db, workspaceId, idParameter(request, 'family'))
  return selectConnectorReport(deps.db, { workspaceId, familyId })
}

async function dismiss(deps: HttpDeps, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const { workspaceId, actor, now } = await memberWho(deps, request, 'upload')
  const { id: familyId } = await selectFamily(deps.db, workspaceId, idParameter(request, 'family'))
  const refusalId = idParameter(request, 'refusal')
  await dismissRefusal(deps.db, { workspaceId, familyId, refusalId, actor, now })
  return reply.code(204).send()
}

const connector = '/workspaces/:slug/families/:family/connector'

/** What the Dependency-Track connector of a family refused. */
export const connectorOperations: readonly AppOperation[] = [
  read(connector, getConnector),
  write('POST', `${connector}/refusals/:refusal/dismiss`, dismiss),
]
