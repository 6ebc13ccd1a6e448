import { createRoute, linkOptions } from '@tanstack/react-router'
import { lazyPage } from '../kit/page/lazy-page.ts'
import { workspaceRoute } from '../parent-routes.ts'

export const pages = {
  notices: (slug: string) => linkOptions({ to: '/$slug/account/notifications', params: { slug } }),
}

export const routes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/account/notifications',
    component: lazyPage(() => import('./NoticesPage.tsx')),
  }),
] as const
