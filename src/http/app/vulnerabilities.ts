import * as contract from '../../contract/vulnerabilities/operations.ts'
import { describeVulnerability } from '../../vulnerabilities/describe-vulnerability.ts'
import { listExploited } from '../../vulnerabilities/list-exploited.ts'
import { listVulnerabilities } from '../../vulnerabilities/list-vulnerabilities.ts'
import { routesOf } from './routing/handle.ts'
import { inTurn } from './inventory/search-share.ts'

/** What affects the workspace, whichever product has it. */
export const vulnerabilityRoutes = routesOf(contract, {
  listVulnerabilities: ({ query, ...member }) => {
    const { workspaceId, deps } = member
    const { family: familyId, verdict = 'open', sort = 'urgency', ...others } = query
    const list = () => listVulnerabilities(deps.db, { workspaceId, familyId, verdict, sort, ...others })
    return query.search === undefined ? list() : inTurn(member, list)
  },

  listExploited: ({ workspaceId, query, deps }) => listExploited(deps.db, workspaceId, query),

  getVulnerability: ({ workspaceId, now, params, deps }) =>
    describeVulnerability(deps.db, workspaceId, params.vulnerability, now),
})
