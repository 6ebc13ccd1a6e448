import * as contract from '../../contract/operations/inventory.ts'
import { searchComponents } from '../../views/components/search-components.ts'
import { selectWorkspaceCoverage } from '../../views/coverage/workspace-coverage.ts'
import { routesOf } from './routing/handle.ts'
import { searchWorkspace } from './search-workspace.ts'
import { describeData } from './sources.ts'

/** The components of all products together. */
export const inventoryRoutes = routesOf(contract, {
  listComponentUses: ({ workspaceId, query, deps }) =>
    searchComponents(deps.db, { workspaceId, search: query.search, hash: query.hash, cursor: query.cursor }),

  getCoverage: async ({ workspaceId, deps }) => ({
    ...(await selectWorkspaceCoverage(deps.db, workspaceId)),
    data: await describeData(deps),
  }),

  searchWorkspace: async ({ workspaceId, query, deps }) => ({
    hits: await searchWorkspace(deps.db, workspaceId, query.q ?? ''),
  }),
})
