import * as contract from '../../contract/inventory/operations.ts'
import { searchComponents } from '../../inventory/components/search-components.ts'
import { selectWorkspaceCoverage } from '../../inventory/coverage/workspace-coverage.ts'
import { routesOf } from './routing/handle.ts'
import { searchWorkspace } from '../../views/search-workspace.ts'
import { describeData } from './sources.ts'

/** The components of all products together. */
export const inventoryRoutes = routesOf(
  contract,
  {
    listComponentUses: ({ workspaceId, query, deps, seen }) => {
      const { search, hash, cursor } = query
      return deps.reads.read({ seen }, (db) => searchComponents(db, { workspaceId, search, hash, cursor }))
    },

    getCoverage: async ({ workspaceId, now, deps }) => ({
      ...(await selectWorkspaceCoverage(deps.db, workspaceId, now)),
      data: await describeData(deps),
    }),

    searchWorkspace: ({ query, ...member }) =>
      member.deps.reads.read({ seen: member.seen }, async (db) => {
        const { sealing } = member.deps
        return { hits: await searchWorkspace({ ...member, deps: { db, sealing } }, query.q ?? '') }
      }),
  },
  { listComponentUses: ['search', 'hash'], searchWorkspace: ['q'] },
)
