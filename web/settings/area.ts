import { IconSettings } from '@tabler/icons-react'
import { createRoute, redirect } from '@tanstack/react-router'
import type { AreaItem } from '../area-item.ts'
import { lazyPage } from '../kit/page/lazy-page.ts'
import { workspaceRoute } from '../parent-routes.ts'
import {
  auditSearch,
  billingSearch,
  connectorSearch,
  membersSearch,
  notificationsSearch,
  settingsPages,
  tokensSearch,
} from './paths.ts'

export const routes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/settings',
    beforeLoad: ({ params }) => {
      redirect({ ...settingsPages.company(params.slug), replace: true, throw: true })
    },
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/settings/members',
    validateSearch: membersSearch,
    component: lazyPage(() => import('./members/MembersPage.tsx')),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/settings/tokens',
    validateSearch: tokensSearch,
    component: lazyPage(() => import('./tokens/TokensPage.tsx')),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/settings/notifications',
    validateSearch: notificationsSearch,
    component: lazyPage(() => import('./notifications/NotificationsPage.tsx')),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/settings/company',
    component: lazyPage(() => import('./company/CompanyPage.tsx')),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/settings/sign-in',
    component: lazyPage(() => import('./sign-in/SignInSettingsPage.tsx')),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/settings/billing',
    validateSearch: billingSearch,
    component: lazyPage(() => import('./billing/BillingPage.tsx')),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/settings/close',
    component: lazyPage(() => import('./closing/ClosingPage.tsx')),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/settings/regimes',
    component: lazyPage(() => import('./regimes/RegimesPage.tsx')),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/settings/connector',
    validateSearch: connectorSearch,
    component: lazyPage(() => import('./connector/ConnectorPage.tsx')),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/settings/audit',
    validateSearch: auditSearch,
    component: lazyPage(() => import('./audit/AuditPage.tsx')),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/settings/disclosure',
    component: lazyPage(() => import('./disclosure/DisclosurePage.tsx')),
  }),
] as const

export const item: AreaItem = {
  name: 'Settings',
  Icon: IconSettings,
  link: settingsPages.company,
  rooms: ['settings'],
}
