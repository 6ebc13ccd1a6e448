import * as contract from '../../../contract/connector/operations.ts'
import { dismissRefusal } from '../../../sbom/connector/refusals.ts'
import { selectConnectorReport } from '../../../sbom/connector/report.ts'
import { selectFamily } from '../../../products/families/select-families.ts'
import { routesOf } from '../routing/handle.ts'

/** What the Dependency-Track connector of a family refused. */
export const connectorRoutes = routesOf(contract, {
  getConnectorReport: async ({ workspaceId, params, deps }) => {
    const { id: familyId } = await selectFamily(deps.db, workspaceId, params.family)
    return selectConnectorReport(deps.db, { workspaceId, familyId })
  },

  dismissRefusal: async ({ workspaceId, actor, now, params, deps }) => {
    const { id: familyId } = await selectFamily(deps.db, workspaceId, params.family)
    await dismissRefusal(deps.db, { workspaceId, familyId, refusalId: params.refusal, actor, now })
  },
})
