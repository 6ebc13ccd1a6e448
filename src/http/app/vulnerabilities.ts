import * as contract from '../../contract/vulnerabilities/operations.ts'
import { describeVulnerability } from '../../vulnerabilities/describe-vulnerability.ts'
import { listExploited } from '../../vulnerabilities/list-exploited.ts'
import { listVulnerabilities } from '../../vulnerabilities/list-vulnerabilities.ts'
import { routesOf } from './routing/handle.ts'

/** What affects the workspace, whichever product has it. */
export const vulnerabilityRoutes = routesOf(
  contract,
  {
    listVulnerabilities: ({ workspaceId, query, deps }) => {
      const { family: familyId, verdict = 'open', sort = 'urgency', ...others } = query
      return listVulnerabilities(deps.db, { workspaceId, familyId, verdict, sort, ...others })
    },

    listExploited: ({ workspaceId, query, deps }) => listExploited(deps.db, workspaceId, query),

    getVulnerability: ({ workspaceId, now, params, deps }) =>
      describeVulnerability(deps.db, workspaceId, params.vulnerability, now),
  },
  { listVulnerabilities: ['search'] },
)
