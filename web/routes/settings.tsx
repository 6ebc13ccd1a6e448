import { createRoute, redirect } from '@tanstack/react-router'
import { lazyPage } from '../kit/page/lazy-page.ts'
import {
  auditSearch,
  billingSearch,
  connectorSearch,
  membersSearch,
  notificationsSearch,
  tokensSearch,
} from '../page-search.ts'
import { pages } from '../paths.ts'
import { workspaceRoute } from '../parent-routes.ts'

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
  component: lazyPage(() => import('../settings/members/MembersPage.tsx')),
})

const tokensRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/settings/tokens',
  validateSearch: tokensSearch,
  component: lazyPage(() => import('../settings/tokens/TokensPage.tsx')),
})

const notificationsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/settings/notifications',
  validateSearch: notificationsSearch,
  component: lazyPage(() => import('../settings/notifications/NotificationsPage.tsx')),
})

const companyRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/settings/company',
  component: lazyPage(() => import('../settings/company/CompanyPage.tsx')),
})

const signInSettingsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/settings/sign-in',
  component: lazyPage(() => import('../settings/sign-in/SignInSettingsPage.tsx')),
})

const billingRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/settings/billing',
  validateSearch: billingSearch,
  component: lazyPage(() => import('../settings/billing/BillingPage.tsx')),
})

const closingRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/settings/close',
  component: lazyPage(() => import('../settings/closing/ClosingPage.tsx')),
})

const regimesRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/settings/regimes',
  component: lazyPage(() => import('../settings/regimes/RegimesPage.tsx')),
})

const connectorRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/settings/connector',
  validateSearch: connectorSearch,
  component: lazyPage(() => import('../settings/connector/ConnectorPage.tsx')),
})

const auditRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/settings/audit',
  validateSearch: auditSearch,
  component: lazyPage(() => import('../settings/audit/AuditPage.tsx')),
})

const disclosureRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/settings/disclosure',
  component: lazyPage(() => import('../settings/disclosure/DisclosurePage.tsx')),
})

const noticesRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/account/notifications',
  component: lazyPage(() => import('../notices/NoticesPage.tsx')),
})

/** The settings of a workspace. */
export const settingsRoutes = [
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
  disclosureRoute,
  noticesRoute,
] as const
