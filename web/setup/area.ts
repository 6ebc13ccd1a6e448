import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../kit/page/lazy-page.ts'
import { rootRoute } from '../parent-routes.ts'

export const routes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/setup',
    component: lazyPage(() => import('./SetupPage.tsx')),
  }),
] as const
