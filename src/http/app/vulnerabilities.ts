import * as contract from '../../contract/operations/vulnerabilities.ts'
import { describeVulnerability } from '../../views/vulnerabilities/describe-vulnerability.ts'
import { listExploited } from '../../views/vulnerabilities/list-exploited.ts'
import { listVulnerabilities } from '../../views/vulnerabilities/list-vulnerabilities.ts'
import { routesOf } from './routing/handle.ts'

/** What affects the workspace, whichever product has it. */
export const vulnerabilityRoutes = routesOf(contract, {
  listVulnerabilities: ({ workspaceId, query, deps }) => {
    const { family: familyId, verdict = 'open', sort = 'urgency', ...others } = query
    return listVulnerabilities(deps.db, { workspaceId, familyId, verdict, sort, ...others })
  },

  listExploited: ({ workspaceId, query, deps }) => listExploited(deps.db, workspaceId, query),

  getVulnerability: ({ workspaceId, params, deps }) =>
    describeVulnerability(deps.db, workspaceId, params.vulnerability),
})
