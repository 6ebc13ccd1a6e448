import * as contract from '../../contract/operations/workspace.ts'
import { selectWorkspace } from '../../workspace/workspaces.ts'
import { routesOf } from './routing/handle.ts'

export const workspaceRoutes = routesOf(contract, {
  getWorkspace: async ({ workspaceId, role, state, deps }) => {
    const workspace = await selectWorkspace(deps.db, workspaceId)
    return {
      id: workspace.id,
      slug: workspace.slug,
      companyName: workspace.company_name,
      timeZone: workspace.time_zone,
      plan: workspace.plan,
      state,
      trialEndsAt: workspace.trial_ends_at?.toISOString() ?? null,
      role,
      baseUrl: deps.baseUrl,
    }
  },
})
