import type { FastifyRequest } from 'fastify'
import type { ComponentUsePage, SearchHit, WorkspaceCoverage } from '../../contract/inventory.ts'
import { searchComponents } from '../../views/components/search-components.ts'
import { selectWorkspaceCoverage } from '../../views/coverage/workspace-coverage.ts'
import type { HttpDeps } from '../deps.ts'
import { read, type AppOperation } from './app-operation.ts'
import { member, queryValue } from './member.ts'
import { describeData } from './sources.ts'
import { searchWorkspace } from './search-workspace.ts'

async function getComponents(deps: HttpDeps, request: FastifyRequest): Promise<ComponentUsePage> {
  const { workspaceId } = await member(deps, request)
  return searchComponents(deps.db, {
    workspaceId,
    search: queryValue(request, 'search'),
    hash: queryValue(request, 'hash'),
    cursor: queryValue(request, 'cursor'),
  })
}

async function getCoverage(deps: HttpDeps, request: FastifyRequest): Promise<WorkspaceCoverage> {
  const { workspaceId } = await member(deps, request)
  return { ...(await selectWorkspaceCoverage(deps.db, workspaceId)), data: await describeData(deps) }
}

async function getSearch(deps: HttpDeps, request: FastifyRequest): Promise<{ hits: SearchHit[] }> {
  const { workspaceId } = await member(deps, request)
  return { hits: await searchWorkspace(deps.db, workspaceId, queryValue(request, 'q') ?? '') }
}

/** The components of all products together. */
export const inventoryOperations: readonly AppOperation[] = [
  read('/workspaces/:slug/components', getComponents),
  read('/workspaces/:slug/coverage', getCoverage),
  read('/workspaces/:slug/search', getSearch),
]
