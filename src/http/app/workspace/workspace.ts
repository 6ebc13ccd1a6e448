import { countBell } from '../../../notices/bell.ts'
import { selectUnheard } from '../../../notices/choices.ts'
import { countWaiting } from '../../../disclosure/inbox/count-waiting.ts'
import { selectUnusableContacts } from '../../../disclosure/settings/unusable-contacts.ts'
import * as contract from '../../../contract/workspace/operations.ts'
import { isAllowed } from '../../../contract/roles.ts'
import { countRecentProblems } from '../../../alerts/reads/count-recent-problems.ts'
import { countIncidents } from '../../../incidents/reads/count-incidents.ts'
import { routesOf } from '../routing/handle.ts'

export const workspaceRoutes = routesOf(contract, {
  getWorkspace: async ({ workspaceId, workspace, role, actor, state, now, deps }) => {
    const asking = { workspaceId, role, personId: actor.id ?? '' }
    const [{ unread }, unheard, recentProblems, incidents, inbox, unusableContacts] = await Promise.all([
      countBell(deps.db, asking),
      selectUnheard(deps.db, workspaceId),
      isAllowed(role, 'see_deliveries') ? countRecentProblems(deps.db, workspaceId, now) : null,
      countIncidents(deps.db, asking, now),
      countWaiting(deps.db, asking, now),
      isAllowed(role, 'manage_company') ? selectUnusableContacts(deps.db, workspaceId) : null,
    ])
    return {
      id: workspace.id,
      slug: workspace.slug,
      companyName: workspace.company_name,
      timeZone: workspace.time_zone,
      plan: workspace.plan,
      state,
      movedTo: workspace.moved_to,
      trialEndsAt: workspace.trial_ends_at?.toISOString() ?? null,
      paidUntil: workspace.paid_until?.toISOString() ?? null,
      isSelfService: deps.stripe !== null,
      role,
      recentProblems,
      incidents,
      inbox,
      unusableContacts,
      unread,
      mail: { goesNowhere: !deps.sendsMail, unheard },
      baseUrl: deps.baseUrl,
    }
  },
})
