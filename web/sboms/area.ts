import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../kit/page/lazy-page.ts'
import { workspaceRoute } from '../parent-routes.ts'
import { sbomSearch } from './paths.ts'

export const routes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/sboms/$sbom',
    validateSearch: sbomSearch,
    component: lazyPage(() => import('./SbomPage.tsx')),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/sboms/$sbom/compare/$other',
    component: lazyPage(() => import('./comparison/ComparisonPage.tsx')),
  }),
] as const
