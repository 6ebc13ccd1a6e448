import { createRoute, linkOptions } from '@tanstack/react-router'
import { lazyPage } from '../kit/page/lazy-page.ts'
import { workspaceRoute } from '../parent-routes.ts'

export const pages = {
  finding: (slug: string, finding: string) =>
    linkOptions({ to: '/$slug/findings/$finding', params: { slug, finding } }),
}

export const routes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/findings/$finding',
    component: lazyPage(() => import('./FindingPage.tsx')),
  }),
] as const
