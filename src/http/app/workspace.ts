import { countBell } from '../../alerts/notices/bell.ts'
import { selectUnheard } from '../../alerts/notices/choices.ts'
import * as contract from '../../contract/operations/workspace.ts'
import { isAllowed } from '../../contract/roles.ts'
import { countRecentProblems } from '../../views/alerts/count-recent-problems.ts'
import { selectWorkspace } from '../../workspace/workspaces.ts'
import { routesOf } from './routing/handle.ts'

export const workspaceRoutes = routesOf(contract, {
  getWorkspace: async ({ workspaceId, role, actor, state, now, deps }) => {
    const workspace = await selectWorkspace(deps.db, workspaceId)
    const { unread } = await countBell(deps.db, { workspaceId, role, personId: actor.id ?? '' })
    return {
      id: workspace.id,
      slug: workspace.slug,
      companyName: workspace.company_name,
      timeZone: workspace.time_zone,
      plan: workspace.plan,
      state,
      trialEndsAt: workspace.trial_ends_at?.toISOString() ?? null,
      role,
      recentProblems: isAllowed(role, 'see_deliveries')
        ? await countRecentProblems(deps.db, workspaceId, now)
        : null,
      unread,
      mail: { goesNowhere: !deps.sendsMail, unheard: await selectUnheard(deps.db, workspaceId) },
      baseUrl: deps.baseUrl,
    }
  },
})
