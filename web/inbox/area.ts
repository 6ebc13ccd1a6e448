import { IconInbox } from '@tabler/icons-react'
import { createRoute, linkOptions } from '@tanstack/react-router'
import { inboxTabs, type InboxTab } from '#contract/disclosure/shapes.ts'
import type { AreaItem } from '../area-item.ts'
import { oneOf, present, type Raw } from '../kit/address/search.ts'
import { lazyPage } from '../kit/page/lazy-page.ts'
import { workspaceRoute } from '../parent-routes.ts'

export type InboxSearch = { tab?: InboxTab }

export function inboxSearch(raw: Raw): InboxSearch {
  return present({ tab: oneOf(raw['tab'], inboxTabs) })
}

export const pages = {
  inbox: (slug: string, search: InboxSearch = {}) =>
    linkOptions({ to: '/$slug/inbox', params: { slug }, search }),
  inboxReport: (slug: string, number: number) =>
    linkOptions({ to: '/$slug/inbox/$number', params: { slug, number: String(number) } }),
}

export const routes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/inbox',
    validateSearch: inboxSearch,
    component: lazyPage(() => import('./InboxPage.tsx')),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/inbox/$number',
    component: lazyPage(() => import('./ReportPage.tsx')),
  }),
] as const

export const item: AreaItem = {
  name: 'Inbox',
  Icon: IconInbox,
  link: pages.inbox,
  rooms: ['inbox'],
  todo: ({ inbox: { unanswered, overdue } }) => ({
    count: unanswered,
    words: `${unanswered} to acknowledge, ${overdue} overdue`,
  }),
}
