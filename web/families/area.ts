import { IconPackages } from '@tabler/icons-react'
import { createRoute } from '@tanstack/react-router'
import type { AreaItem } from '../area-item.ts'
import { lazyPage } from '../kit/page/lazy-page.ts'
import { workspaceRoute } from '../parent-routes.ts'
import { familiesSearch, familyPages, familySearch } from './paths.ts'

export const routes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/families',
    validateSearch: familiesSearch,
    component: lazyPage(() => import('./FamiliesPage.tsx')),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/families/$family',
    validateSearch: familySearch,
    component: lazyPage(() => import('./FamilyPage.tsx')),
  }),
] as const

export const item: AreaItem = {
  name: 'Families',
  Icon: IconPackages,
  link: familyPages.families,
  rooms: ['families', 'sboms', 'findings', 'vex'],
}
