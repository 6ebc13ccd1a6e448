import * as contract from '../../../contract/dependencies/operations.ts'
import { describeTree, explainDependency } from '../../../inventory/dependencies/explain-dependency.ts'
import { listDependencies } from '../../../inventory/dependencies/list-dependencies.ts'
import { graphOf } from './dependency-graph.ts'
import { routesOf } from '../routing/handle.ts'

/** The tab Dependencies of the SBOM page. */
export const dependencyRoutes = routesOf(
  contract,
  {
    getDependencies: async (asked) => describeTree(asked.deps.db, asked.workspaceId, await graphOf(asked)),

    listDependencies: async (asked) => {
      const { workspaceId, query, deps } = asked
      return listDependencies(deps.db, await graphOf(asked), { ...query, workspaceId })
    },

    explainDependency: async (asked) => {
      const { workspaceId, query, deps } = asked
      return explainDependency(deps.db, await graphOf(asked), { workspaceId, number: query.component })
    },
  },
  { listDependencies: ['among', 'search'] },
)
