import type { FastifyRequest } from 'fastify'
import type { ConnectorReport } from '../../contract/connector.ts'
import { selectConnectorReport } from '../../sbom/connector/report.ts'
import { selectFamily } from '../../workspace/families/select-families.ts'
import type { HttpDeps } from '../deps.ts'
import { read, type AppOperation } from './app-operation.ts'
import { idParameter, member } from './member.ts'

async function getConnector(deps: HttpDeps, request: FastifyRequest): Promise<ConnectorReport> {
  const { workspaceId } = await member(deps, request)
  const { id: familyId } = await selectFamily(deps.db, workspaceId, idParameter(request, 'family'))
  return selectConnectorReport(deps.db, { workspaceId, familyId })
}

/** What the Dependency-Track connector of a family refused. */
export const connectorOperations: readonly AppOperation[] = [
  read('/workspaces/:slug/families/:family/connector', getConnector),
]
