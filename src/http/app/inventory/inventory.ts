import * as contract from '../../../contract/inventory/operations.ts'
import { searchComponents } from '../../../inventory/components/search-components.ts'
import { selectWorkspaceCoverage } from '../../../inventory/coverage/workspace-coverage.ts'
import { routesOf } from '../routing/handle.ts'
import { inTurn } from './search-share.ts'
import { searchWorkspace } from '../../../views/search-workspace.ts'
import { describeData } from '../sources.ts'

/** The components of all products together. */
export const inventoryRoutes = routesOf(contract, {
  listComponentUses: ({ query, ...member }) => {
    const { workspaceId, deps, seen } = member
    const { search, hash, cursor } = query
    const list = () =>
      deps.reads.read({ seen }, (db) => searchComponents(db, { workspaceId, search, hash, cursor }))
    return search === undefined && hash === undefined ? list() : inTurn(member, list)
  },

  getCoverage: async ({ workspaceId, now, deps }) => ({
    ...(await selectWorkspaceCoverage(deps.db, workspaceId, now)),
    data: await describeData(deps),
  }),

  searchWorkspace: ({ query, ...member }) =>
    inTurn(member, () =>
      member.deps.reads.read({ seen: member.seen }, async (db) => {
        const { sealing } = member.deps
        return { hits: await searchWorkspace({ ...member, deps: { db, sealing } }, query.q ?? '') }
      }),
    ),
})
