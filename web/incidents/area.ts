import { IconAlertTriangle } from '@tabler/icons-react'
import { createRoute, linkOptions } from '@tanstack/react-router'
import { listIncidents, listReview, listSuppressed } from '#contract/incidents/operations.ts'
import type { AreaItem } from '../area-item.ts'
import { filterIn, oneOf, present, text, type Filter, type Raw } from '../kit/address/search.ts'
import { lazyPage } from '../kit/page/lazy-page.ts'
import { workspaceRoute } from '../parent-routes.ts'

export type IncidentFilter = Filter<typeof listIncidents>
const incidentDialogs = ['open', 'drill'] as const
/** `malware`: the finding that prefills the dialog. */
export type IncidentsSearch = IncidentFilter & { dialog?: (typeof incidentDialogs)[number]; malware?: string }
export type ReviewSearch = Filter<typeof listReview>
export type SuppressedSearch = Filter<typeof listSuppressed>

export function incidentsSearch(raw: Raw): IncidentsSearch {
  return {
    ...filterIn(raw, listIncidents),
    ...present({ dialog: oneOf(raw['dialog'], incidentDialogs), malware: text(raw['malware']) }),
  }
}

export function reviewSearch(raw: Raw): ReviewSearch {
  return filterIn(raw, listReview)
}

export function suppressedSearch(raw: Raw): SuppressedSearch {
  return filterIn(raw, listSuppressed)
}

export const incidentTabs = ['affected', 'drafts', 'submissions', 'timeline', 'comments'] as const
export type IncidentTab = (typeof incidentTabs)[number]
export type IncidentSearch = {
  tab?: IncidentTab
  /** The report whose draft is open. */
  report?: string
}

export function incidentSearch(raw: Raw): IncidentSearch {
  return present({ tab: oneOf(raw['tab'], incidentTabs), report: text(raw['report']) })
}

export const pages = {
  incidents: (slug: string, search: IncidentsSearch = {}) =>
    linkOptions({ to: '/$slug/incidents', params: { slug }, search }),
  incident: (slug: string, incident: string, search: IncidentSearch = {}) =>
    linkOptions({ to: '/$slug/incidents/$incident', params: { slug, incident }, search }),
  review: (slug: string, search: ReviewSearch = {}) =>
    linkOptions({ to: '/$slug/review', params: { slug }, search }),
  suppressed: (slug: string, search: SuppressedSearch = {}) =>
    linkOptions({ to: '/$slug/suppressed', params: { slug }, search }),
}

export const routes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/incidents',
    validateSearch: incidentsSearch,
    component: lazyPage(() => import('./list/IncidentsPage.tsx')),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/incidents/$incident',
    validateSearch: incidentSearch,
    component: lazyPage(() => import('./incident/IncidentPage.tsx')),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/review',
    validateSearch: reviewSearch,
    component: lazyPage(() => import('./review/ReviewPage.tsx')),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/suppressed',
    validateSearch: suppressedSearch,
    component: lazyPage(() => import('./review/SuppressedPage.tsx')),
  }),
] as const

export const item: AreaItem = {
  name: 'Incidents',
  Icon: IconAlertTriangle,
  link: pages.incidents,
  rooms: ['incidents', 'review', 'suppressed'],
  todo: ({ incidents: { overdue, waitingForMe } }) => ({
    count: overdue + waitingForMe,
    words: `${overdue} overdue, ${waitingForMe} waiting for you`,
  }),
}
