import { IconSpeakerphone } from '@tabler/icons-react'
import { createRoute, linkOptions } from '@tanstack/react-router'
import type { AreaItem } from '../area-item.ts'
import { lazyPage } from '../kit/page/lazy-page.ts'
import { workspaceRoute } from '../parent-routes.ts'

export const pages = {
  advisories: (slug: string) => linkOptions({ to: '/$slug/advisories', params: { slug } }),
  advisory: (slug: string, advisory: string) =>
    linkOptions({ to: '/$slug/advisories/$advisory', params: { slug, advisory } }),
}

export const routes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/advisories',
    component: lazyPage(() => import('./AdvisoriesPage.tsx')),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/advisories/$advisory',
    component: lazyPage(() => import('./AdvisoryPage.tsx')),
  }),
] as const

export const item: AreaItem = {
  name: 'Advisories',
  Icon: IconSpeakerphone,
  link: pages.advisories,
  rooms: ['advisories'],
}
