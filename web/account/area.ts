import { createRoute, linkOptions } from '@tanstack/react-router'
import { lazyPage } from '../kit/page/lazy-page.ts'
import { signedInRoute } from '../parent-routes.ts'

export const pages = {
  account: () => linkOptions({ to: '/account' }),
}

export const routes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/account',
    component: lazyPage(() => import('./AccountPage.tsx')),
  }),
] as const
