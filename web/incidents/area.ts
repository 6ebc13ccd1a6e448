import { IconAlertTriangle } from '@tabler/icons-react'
import { createRoute } from '@tanstack/react-router'
import type { AreaItem } from '../area-item.ts'
import { lazyPage } from '../kit/page/lazy-page.ts'
import { workspaceRoute } from '../parent-routes.ts'
import { incidentPages, incidentSearch, incidentsSearch, reviewSearch, suppressedSearch } from './paths.ts'

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
  link: incidentPages.incidents,
  rooms: ['incidents', 'review', 'suppressed'],
  todo: ({ incidents: { overdue, waitingForMe } }) => ({
    count: overdue + waitingForMe,
    words: `${overdue} overdue, ${waitingForMe} waiting for you`,
  }),
}
