import { IconInbox } from '@tabler/icons-react'
import { createRoute } from '@tanstack/react-router'
import type { AreaItem } from '../area-item.ts'
import { lazyPage } from '../kit/page/lazy-page.ts'
import { workspaceRoute } from '../parent-routes.ts'
import { inboxPages, inboxSearch } from './paths.ts'

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
  link: inboxPages.inbox,
  rooms: ['inbox'],
  todo: ({ inbox: { unanswered, overdue } }) => ({
    count: unanswered,
    words: `${unanswered} to acknowledge, ${overdue} overdue`,
  }),
}
