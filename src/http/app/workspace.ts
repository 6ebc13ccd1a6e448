import { countBell } from '../../alerts/notices/bell.ts'
import { selectUnheard } from '../../alerts/notices/choices.ts'
import * as contract from '../../contract/operations/workspace.ts'
import { isAllowed } from '../../contract/roles.ts'
import { countRecentProblems } from '../../views/alerts/count-recent-problems.ts'
import { routesOf } from './routing/handle.ts'

export const workspaceRoutes = routesOf(contract, {
  getWorkspace: async ({ workspaceId, workspace, role, actor, state, now, deps }) => {
    const [{ unread }, unheard, recentProblems] = await Promise.all([
      countBell(deps.db, { workspaceId, role, personId: actor.id ?? '' }),
      selectUnheard(deps.db, workspaceId),
      isAllowed(role, 'see_deliveries') ? countRecentProblems(deps.db, workspaceId, now) : null,
    ])
    return {
      id: workspace.id,
      slug: workspace.slug,
      companyName: workspace.company_name,
      timeZone: workspace.time_zone,
      plan: workspace.plan,
      state,
      trialEndsAt: workspace.trial_ends_at?.toISOString() ?? null,
      role,
      recentProblems,
      unread,
      mail: { goesNowhere: !deps.sendsMail, unheard },
      baseUrl: deps.baseUrl,
    }
  },
})
