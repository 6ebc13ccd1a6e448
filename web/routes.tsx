import { Frame } from './frame/Frame.tsx'
import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  notFound,
  parseSearchWith,
  redirect,
  rootRouteId,
  stringifySearchWith,
  type RouterHistory,
} from '@tanstack/react-router'
import { sessionQuery, workspaceQuery } from './api/queries.ts'
import { isFailure } from './api/request.ts'
import { lazyPage } from './lazy-page.ts'
import {
  auditSearch,
  billingSearch,
  componentsSearch,
  connectorSearch,
  familiesSearch,
  familySearch,
  inboxSearch,
  incidentSearch,
  incidentsSearch,
  metricsSearch,
  membersSearch,
  notificationsSearch,
  reviewSearch,
  sbomSearch,
  signInSearch,
  sourcesSearch,
  suppressedSearch,
  tokensSearch,
  vexSearch,
  vulnerabilitiesSearch,
} from './page-search.ts'
import { WorkspaceFailed } from './pages/sign-in/CompanyRequired.tsx'
import { SignedIn } from './pages/sign-in/SignInAgain.tsx'
import { pages } from './paths.ts'
import { FailedPage, NotFoundPage, WaitingPage, WaitingPart } from './ui/page/WholePage.tsx'

const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  notFoundComponent: NotFoundPage,
})

const setupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/setup',
  component: lazyPage(() => import('./pages/setup/SetupPage.tsx')),
})

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: signInSearch,
  component: lazyPage(() => import('./pages/sign-in/SignInPage.tsx')),
})

const companyReturnRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in/company',
  component: lazyPage(() => import('./pages/sign-in/CompanyReturnPage.tsx')),
})

const forgottenRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in/forgotten',
  component: lazyPage(() => import('./pages/sign-in/ForgottenPage.tsx')),
})

/** What the links of messages open (alerts/mail/letter-wording.ts). */
const linkRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/sign-in/invitation',
    component: lazyPage(() => import('./pages/sign-in/links/InvitationPage.tsx')),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/sign-in/reset',
    component: lazyPage(() => import('./pages/sign-in/links/ResetPage.tsx')),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/sign-in/email',
    component: lazyPage(() => import('./pages/sign-in/links/EmailPage.tsx')),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/sign-up/confirm',
    component: lazyPage(() => import('./pages/sign-in/sign-up/ConfirmPage.tsx')),
  }),
] as const

const signUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-up',
  component: lazyPage(() => import('./pages/sign-in/sign-up/SignUpPage.tsx')),
})

const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  component: SignedIn,
  pendingComponent: WaitingPage,
  beforeLoad: async ({ context, location }) => {
    try {
      return { session: await context.queryClient.query({ ...sessionQuery, staleTime: 'static' }) }
    } catch (error) {
      if (isFailure(error, 'signed_out')) redirect({ ...pages.signIn(location.href), throw: true })
      throw error
    }
  },
})

const homeRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/',
  component: lazyPage(() => import('./pages/workspaces/ChooserPage.tsx')),
})

const accountRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account',
  component: lazyPage(() => import('./pages/account/AccountPage.tsx')),
})

const workspaceRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/$slug',
  pendingComponent: WaitingPage,
  loader: async ({ context, params }) => {
    try {
      await context.queryClient.query({ ...workspaceQuery(params.slug), staleTime: 'static' })
    } catch (error) {
      if (isFailure(error, 'not_found')) notFound({ routeId: rootRouteId, throw: true })
      if (isFailure(error, 'second_factor_required')) redirect({ ...pages.account(), throw: true })
      throw error
    }
  },
  component: Frame,
  errorComponent: WorkspaceFailed,
})

const dashboardRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/',
  component: lazyPage(() => import('./pages/dashboard/DashboardPage.tsx')),
})

const incidentsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/incidents',
  validateSearch: incidentsSearch,
  component: lazyPage(() => import('./pages/incidents/list/IncidentsPage.tsx')),
})

const incidentRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/incidents/$incident',
  validateSearch: incidentSearch,
  component: lazyPage(() => import('./pages/incidents/incident/IncidentPage.tsx')),
})

const reviewRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/review',
  validateSearch: reviewSearch,
  component: lazyPage(() => import('./pages/incidents/review/ReviewPage.tsx')),
})

const suppressedRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/suppressed',
  validateSearch: suppressedSearch,
  component: lazyPage(() => import('./pages/incidents/review/SuppressedPage.tsx')),
})

const familiesRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/families',
  validateSearch: familiesSearch,
  component: lazyPage(() => import('./pages/families/FamiliesPage.tsx')),
})

const familyRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/families/$family',
  validateSearch: familySearch,
  component: lazyPage(() => import('./pages/families/FamilyPage.tsx')),
})

const sbomRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/sboms/$sbom',
  validateSearch: sbomSearch,
  component: lazyPage(() => import('./pages/sboms/SbomPage.tsx')),
})

const comparisonRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/sboms/$sbom/compare/$other',
  component: lazyPage(() => import('./pages/sboms/comparison/ComparisonPage.tsx')),
})

const componentsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/components',
  validateSearch: componentsSearch,
  component: lazyPage(() => import('./pages/components/ComponentsPage.tsx')),
})

const vulnerabilitiesRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/vulnerabilities',
  validateSearch: vulnerabilitiesSearch,
  component: lazyPage(() => import('./pages/vulnerabilities/VulnerabilitiesPage.tsx')),
})

const vulnerabilityRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/vulnerabilities/$vulnerability',
  component: lazyPage(() => import('./pages/vulnerabilities/VulnerabilityPage.tsx')),
})

const advisoriesRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/advisories',
  component: lazyPage(() => import('./pages/advisories/AdvisoriesPage.tsx')),
})

const advisoryRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/advisories/$advisory',
  component: lazyPage(() => import('./pages/advisories/AdvisoryPage.tsx')),
})

const metricsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/metrics',
  validateSearch: metricsSearch,
  component: lazyPage(() => import('./pages/metrics/MetricsPage.tsx')),
})

const findingRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/findings/$finding',
  component: lazyPage(() => import('./pages/findings/FindingPage.tsx')),
})

const inboxRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/inbox',
  validateSearch: inboxSearch,
  component: lazyPage(() => import('./pages/inbox/InboxPage.tsx')),
})

const inboxReportRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/inbox/$number',
  component: lazyPage(() => import('./pages/inbox/ReportPage.tsx')),
})

const disclosureRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/settings/disclosure',
  component: lazyPage(() => import('./pages/settings/disclosure/DisclosurePage.tsx')),
})

const vexRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/vex/$document',
  validateSearch: vexSearch,
  component: lazyPage(() => import('./pages/vex/VexDocumentPage.tsx')),
})

const sourcesRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/sources',
  validateSearch: sourcesSearch,
  component: lazyPage(() => import('./pages/sources/SourcesPage.tsx')),
})

const settingsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/settings',
  beforeLoad: ({ params }) => {
    redirect({ ...pages.company(params.slug), replace: true, throw: true })
  },
})

const membersRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/settings/members',
  validateSearch: membersSearch,
  component: lazyPage(() => import('./pages/settings/members/MembersPage.tsx')),
})

const tokensRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/settings/tokens',
  validateSearch: tokensSearch,
  component: lazyPage(() => import('./pages/settings/tokens/TokensPage.tsx')),
})

const notificationsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/settings/notifications',
  validateSearch: notificationsSearch,
  component: lazyPage(() => import('./pages/settings/notifications/NotificationsPage.tsx')),
})

const companyRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/settings/company',
  component: lazyPage(() => import('./pages/settings/company/CompanyPage.tsx')),
})

const signInSettingsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/settings/sign-in',
  component: lazyPage(() => import('./pages/settings/sign-in/SignInSettingsPage.tsx')),
})

const billingRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/settings/billing',
  validateSearch: billingSearch,
  component: lazyPage(() => import('./pages/settings/billing/BillingPage.tsx')),
})

const closingRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/settings/close',
  component: lazyPage(() => import('./pages/settings/closing/ClosingPage.tsx')),
})

const regimesRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/settings/regimes',
  component: lazyPage(() => import('./pages/settings/regimes/RegimesPage.tsx')),
})

const connectorRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/settings/connector',
  validateSearch: connectorSearch,
  component: lazyPage(() => import('./pages/settings/connector/ConnectorPage.tsx')),
})

const auditRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/settings/audit',
  validateSearch: auditSearch,
  component: lazyPage(() => import('./pages/settings/audit/AuditPage.tsx')),
})

const noticesRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/account/notifications',
  component: lazyPage(() => import('./pages/account/NoticesPage.tsx')),
})

const routeTree = rootRoute.addChildren([
  setupRoute,
  signInRoute,
  companyReturnRoute,
  forgottenRoute,
  signUpRoute,
  ...linkRoutes,
  signedInRoute.addChildren([
    homeRoute,
    accountRoute,
    workspaceRoute.addChildren([
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
      disclosureRoute,
      vexRoute,
      sourcesRoute,
      settingsRoute,
      membersRoute,
      tokensRoute,
      notificationsRoute,
      companyRoute,
      signInSettingsRoute,
      billingRoute,
      closingRoute,
      regimesRoute,
      connectorRoute,
      auditRoute,
      noticesRoute,
    ]),
  ]),
])

/** The whole application by address. `history` is given by tests; in the browser it is the address bar. */
export function createAppRouter(queryClient: QueryClient, history?: RouterHistory) {
  return createRouter({
    routeTree,
    basepath: '/app',
    context: { queryClient },
    // Plain words in the address bar; page-search.ts gives them their types.
    parseSearch: parseSearchWith((value) => value),
    stringifySearch: stringifySearchWith(String),
    // What page-search.ts dropped leaves the address too, instead of reaching the page as foreign text.
    search: { strict: true },
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultNotFoundComponent: NotFoundPage,
    defaultErrorComponent: FailedPage,
    defaultPendingComponent: WaitingPart,
    ...(history === undefined ? {} : { history }),
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
