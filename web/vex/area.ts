import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../kit/page/lazy-page.ts'
import { workspaceRoute } from '../parent-routes.ts'
import { vexSearch } from './paths.ts'

export const routes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/vex/$document',
    validateSearch: vexSearch,
    component: lazyPage(() => import('./VexDocumentPage.tsx')),
  }),
] as const
