import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../lazy-page.ts'
import {
  componentsSearch,
  familiesSearch,
  familySearch,
  inboxSearch,
  incidentSearch,
  incidentsSearch,
  metricsSearch,
  reviewSearch,
  sbomSearch,
  sourcesSearch,
  suppressedSearch,
  vexSearch,
  vulnerabilitiesSearch,
} from '../page-search.ts'
import DashboardPage from '../pages/dashboard/DashboardPage.tsx'
import { workspaceRoute } from './frames.tsx'

/** Comes with the application, which most people open here: a request less. */
const dashboardRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/',
  component: DashboardPage,
})

const incidentsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/incidents',
  validateSearch: incidentsSearch,
  component: lazyPage(() => import('../pages/incidents/list/IncidentsPage.tsx')),
})

const incidentRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/incidents/$incident',
  validateSearch: incidentSearch,
  component: lazyPage(() => import('../pages/incidents/incident/IncidentPage.tsx')),
})

const reviewRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/review',
  validateSearch: reviewSearch,
  component: lazyPage(() => import('../pages/incidents/review/ReviewPage.tsx')),
})

const suppressedRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/suppressed',
  validateSearch: suppressedSearch,
  component: lazyPage(() => import('../pages/incidents/review/SuppressedPage.tsx')),
})

const familiesRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/families',
  validateSearch: familiesSearch,
  component: lazyPage(() => import('../pages/families/FamiliesPage.tsx')),
})

const familyRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/families/$family',
  validateSearch: familySearch,
  component: lazyPage(() => import('../pages/families/FamilyPage.tsx')),
})

const sbomRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/sboms/$sbom',
  validateSearch: sbomSearch,
  component: lazyPage(() => import('../pages/sboms/SbomPage.tsx')),
})

const comparisonRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/sboms/$sbom/compare/$other',
  component: lazyPage(() => import('../pages/sboms/comparison/ComparisonPage.tsx')),
})

const componentsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/components',
  validateSearch: componentsSearch,
  component: lazyPage(() => import('../pages/components/ComponentsPage.tsx')),
})

const vulnerabilitiesRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/vulnerabilities',
  validateSearch: vulnerabilitiesSearch,
  component: lazyPage(() => import('../pages/vulnerabilities/VulnerabilitiesPage.tsx')),
})

const vulnerabilityRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/vulnerabilities/$vulnerability',
  component: lazyPage(() => import('../pages/vulnerabilities/VulnerabilityPage.tsx')),
})

const advisoriesRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/advisories',
  component: lazyPage(() => import('../pages/advisories/AdvisoriesPage.tsx')),
})

const advisoryRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/advisories/$advisory',
  component: lazyPage(() => import('../pages/advisories/AdvisoryPage.tsx')),
})

const metricsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/metrics',
  validateSearch: metricsSearch,
  component: lazyPage(() => import('../pages/metrics/MetricsPage.tsx')),
})

const findingRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/findings/$finding',
  component: lazyPage(() => import('../pages/findings/FindingPage.tsx')),
})

const inboxRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/inbox',
  validateSearch: inboxSearch,
  component: lazyPage(() => import('../pages/inbox/InboxPage.tsx')),
})

const inboxReportRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/inbox/$number',
  component: lazyPage(() => import('../pages/inbox/ReportPage.tsx')),
})

const vexRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/vex/$document',
  validateSearch: vexSearch,
  component: lazyPage(() => import('../pages/vex/VexDocumentPage.tsx')),
})

const sourcesRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/sources',
  validateSearch: sourcesSearch,
  component: lazyPage(() => import('../pages/sources/SourcesPage.tsx')),
})

/** What a workspace is worked with. */
export const workspaceRoutes = [
  dashboardRoute,
  incidentsRoute,
  incidentRoute,
  reviewRoute,
  suppressedRoute,
  familiesRoute,
  familyRoute,
  sbomRoute,
  comparisonRoute,
  componentsRoute,
  vulnerabilitiesRoute,
  vulnerabilityRoute,
  advisoriesRoute,
  advisoryRoute,
  metricsRoute,
  findingRoute,
  inboxRoute,
  inboxReportRoute,
  vexRoute,
  sourcesRoute,
] as const
