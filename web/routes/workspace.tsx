import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../kit/page/lazy-page.ts'
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
import DashboardPage from '../dashboard/DashboardPage.tsx'
import { workspaceRoute } from '../parent-routes.ts'

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
  component: lazyPage(() => import('../incidents/list/IncidentsPage.tsx')),
})

const incidentRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/incidents/$incident',
  validateSearch: incidentSearch,
  component: lazyPage(() => import('../incidents/incident/IncidentPage.tsx')),
})

const reviewRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/review',
  validateSearch: reviewSearch,
  component: lazyPage(() => import('../incidents/review/ReviewPage.tsx')),
})

const suppressedRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/suppressed',
  validateSearch: suppressedSearch,
  component: lazyPage(() => import('../incidents/review/SuppressedPage.tsx')),
})

const familiesRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/families',
  validateSearch: familiesSearch,
  component: lazyPage(() => import('../families/FamiliesPage.tsx')),
})

const familyRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/families/$family',
  validateSearch: familySearch,
  component: lazyPage(() => import('../families/FamilyPage.tsx')),
})

const sbomRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/sboms/$sbom',
  validateSearch: sbomSearch,
  component: lazyPage(() => import('../sboms/SbomPage.tsx')),
})

const comparisonRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/sboms/$sbom/compare/$other',
  component: lazyPage(() => import('../sboms/comparison/ComparisonPage.tsx')),
})

const componentsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/components',
  validateSearch: componentsSearch,
  component: lazyPage(() => import('../components/ComponentsPage.tsx')),
})

const vulnerabilitiesRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/vulnerabilities',
  validateSearch: vulnerabilitiesSearch,
  component: lazyPage(() => import('../vulnerabilities/VulnerabilitiesPage.tsx')),
})

const vulnerabilityRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/vulnerabilities/$vulnerability',
  component: lazyPage(() => import('../vulnerabilities/VulnerabilityPage.tsx')),
})

const advisoriesRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/advisories',
  component: lazyPage(() => import('../advisories/AdvisoriesPage.tsx')),
})

const advisoryRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/advisories/$advisory',
  component: lazyPage(() => import('../advisories/AdvisoryPage.tsx')),
})

const metricsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/metrics',
  validateSearch: metricsSearch,
  component: lazyPage(() => import('../metrics/MetricsPage.tsx')),
})

const findingRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/findings/$finding',
  component: lazyPage(() => import('../findings/FindingPage.tsx')),
})

const inboxRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/inbox',
  validateSearch: inboxSearch,
  component: lazyPage(() => import('../inbox/InboxPage.tsx')),
})

const inboxReportRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/inbox/$number',
  component: lazyPage(() => import('../inbox/ReportPage.tsx')),
})

const vexRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/vex/$document',
  validateSearch: vexSearch,
  component: lazyPage(() => import('../vex/VexDocumentPage.tsx')),
})

const sourcesRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/sources',
  validateSearch: sourcesSearch,
  component: lazyPage(() => import('../sources/SourcesPage.tsx')),
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
