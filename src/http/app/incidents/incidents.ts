import * as contract from '../../../contract/incidents/operations.ts'
import { dismissReview } from '../../../incidents/openings/dismiss-review.ts'
import { openManually } from '../../../incidents/openings/open-manually.ts'
import { personOf } from '../../../incidents/record/lock-incident.ts'
import { changeRegimeSettings } from '../../../incidents/regimes/change-settings.ts'
import { selectRegimeSettings } from '../../../incidents/regimes/settings.ts'
import { describeDraftForm } from '../../../incidents/reads/draft-form.ts'
import { describeIncident } from '../../../incidents/reads/describe-incident.ts'
import { selectDeadlineGroups } from '../../../incidents/reads/group-deadlines.ts'
import { listEntries } from '../../../incidents/reads/list-entries.ts'
import { listIncidents } from '../../../incidents/reads/list-incidents.ts'
import { listPeople } from '../../../incidents/reads/list-people.ts'
import { listReview } from '../../../incidents/reads/list-review.ts'
import { listSuppressed } from '../../../incidents/reads/list-suppressed.ts'
import { describeOverview } from '../../../views/overview.ts'
import type { Asking } from '../../../incidents/reads/who-asks.ts'
import { routesOf } from '../routing/handle.ts'
import type { Member } from '../routing/member.ts'

const shownDeadlines = 500

/** Incidents, their deadlines and what led to them (docs/incidents.md). */
export const incidentRoutes = routesOf(contract, {
  listIncidents: ({ query, deps, ...member }) => {
    const { status = 'open', ...others } = query
    return listIncidents(deps.db, askingOf(member), { status, ...others, now: member.now })
  },

  listIncidentPeople: async ({ workspaceId, deps }) => ({ people: await listPeople(deps.db, workspaceId) }),

  getIncidentOverview: ({ deps, ...member }) => describeOverview(deps.db, askingOf(member), member.now),

  getIncident: ({ params, deps, ...member }) =>
    describeIncident(deps.db, askingOf(member), { incidentId: params.incident, now: member.now }),

  listIncidentEntries: ({ workspaceId, params, query, deps }) =>
    listEntries(deps.db, { workspaceId, incidentId: params.incident }, query.cursor),

  getDraftForm: ({ workspaceId, params, deps }) =>
    describeDraftForm(deps.db, { workspaceId, incidentId: params.incident, reportId: params.report }),

  openIncident: ({ workspaceId, actor, body, now, deps }) =>
    openManually(deps.db, { workspaceId, actor: personOf(actor), now }, body),

  listSuppressed: ({ workspaceId, query, deps }) => listSuppressed(deps.db, { workspaceId, ...query }),

  listReview: ({ workspaceId, query, deps }) => listReview(deps.db, { workspaceId, ...query }),

  dismissReview: ({ workspaceId, actor, params, body, now, deps }) =>
    dismissReview(deps.db, { workspaceId, findingId: params.finding, actor, now }, body.reason),

  getRegimeSettings: async ({ workspaceId, workspace, deps }) => ({
    ...(await selectRegimeSettings(deps.db, workspaceId)),
    timeZone: workspace.time_zone,
  }),

  changeRegimeSettings: ({ workspaceId, actor, body, now, deps }) =>
    changeRegimeSettings(deps.db, { workspaceId, actor, now }, body),

  listDeadlines: async ({ workspaceId, now, deps }) => ({
    deadlines: await selectDeadlineGroups(deps.db, { workspaceId, max: shownDeadlines, now, drills: true }),
  }),
})

function askingOf({ workspaceId, role, actor }: Pick<Member, 'workspaceId' | 'role' | 'actor'>): Asking {
  return { workspaceId, role, personId: actor.id ?? '' }
}
