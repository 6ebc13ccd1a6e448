import { IconSettings } from '@tabler/icons-react'
import { createRoute, linkOptions, redirect } from '@tanstack/react-router'
import { listAuditEvents } from '#contract/audit/operations.ts'
import type { AreaItem } from '../area-item.ts'
import { filterIn, oneOf, present, text, type Filter, type Raw } from '../kit/address/search.ts'
import { lazyPage } from '../kit/page/lazy-page.ts'
import { workspaceRoute } from '../parent-routes.ts'

export type MembersSearch = { dialog?: 'invite'; member?: string }

export function membersSearch(raw: Raw): MembersSearch {
  return present({ dialog: oneOf(raw['dialog'], ['invite']), member: text(raw['member']) })
}

export type TokensSearch = { dialog?: 'create'; family?: string; token?: string }

export function tokensSearch(raw: Raw): TokensSearch {
  return present({
    dialog: oneOf(raw['dialog'], ['create']),
    family: text(raw['family']),
    token: text(raw['token']),
  })
}

export type NotificationsSearch = {
  dialog?: 'add'
  /** The destination shown in the drawer. */
  destination?: string
  /** The destination whose problems are listed. */
  failed?: string
  /** The problem shown in the drawer. */
  problem?: string
}

export function notificationsSearch(raw: Raw): NotificationsSearch {
  return present({
    dialog: oneOf(raw['dialog'], ['add']),
    destination: text(raw['destination']),
    failed: text(raw['failed']),
    problem: text(raw['problem']),
  })
}

export type ConnectorSearch = {
  family?: string
  /** The refusal shown in the drawer. */
  refusal?: string
}

export function connectorSearch(raw: Raw): ConnectorSearch {
  return present({ family: text(raw['family']), refusal: text(raw['refusal']) })
}

export type AuditFilter = Filter<typeof listAuditEvents>
/** `event`: the one shown in the drawer. */
export type AuditSearch = AuditFilter & { event?: string }

export function auditSearch(raw: Raw): AuditSearch {
  return { ...filterIn(raw, listAuditEvents), ...present({ event: text(raw['event']) }) }
}

/** `from`: set on the return address given to the payment provider. */
export type BillingSearch = { from?: 'checkout' }

export function billingSearch(raw: Raw): BillingSearch {
  return present({ from: oneOf(raw['from'], ['checkout'] as const) })
}

export const pages = {
  members: (slug: string, search: MembersSearch = {}) =>
    linkOptions({ to: '/$slug/settings/members', params: { slug }, search }),
  tokens: (slug: string, search: TokensSearch = {}) =>
    linkOptions({ to: '/$slug/settings/tokens', params: { slug }, search }),
  notifications: (slug: string, search: NotificationsSearch = {}) =>
    linkOptions({ to: '/$slug/settings/notifications', params: { slug }, search }),
  connector: (slug: string, search: ConnectorSearch = {}) =>
    linkOptions({ to: '/$slug/settings/connector', params: { slug }, search }),
  audit: (slug: string, search: AuditSearch = {}) =>
    linkOptions({ to: '/$slug/settings/audit', params: { slug }, search }),
  disclosure: (slug: string) => linkOptions({ to: '/$slug/settings/disclosure', params: { slug } }),
  company: (slug: string) => linkOptions({ to: '/$slug/settings/company', params: { slug } }),
  signInSettings: (slug: string) => linkOptions({ to: '/$slug/settings/sign-in', params: { slug } }),
  billing: (slug: string) => linkOptions({ to: '/$slug/settings/billing', params: { slug }, search: {} }),
  closing: (slug: string) => linkOptions({ to: '/$slug/settings/close', params: { slug } }),
  regimes: (slug: string) => linkOptions({ to: '/$slug/settings/regimes', params: { slug } }),
}

export const routes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/settings',
    beforeLoad: ({ params }) => {
      redirect({ ...pages.company(params.slug), replace: true, throw: true })
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
  link: pages.company,
  rooms: ['settings'],
}
