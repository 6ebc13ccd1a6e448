import { createRoute, linkOptions } from '@tanstack/react-router'
import { lazyPage } from '../kit/page/lazy-page.ts'
import { signedInRoute } from '../parent-routes.ts'

export const pages = {
  home: () => linkOptions({ to: '/' }),
}

export const routes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/',
    component: lazyPage(() => import('./ChooserPage.tsx')),
  }),
] as const
