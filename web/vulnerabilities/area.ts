import { IconBug } from '@tabler/icons-react'
import { createRoute } from '@tanstack/react-router'
import type { AreaItem } from '../area-item.ts'
import { lazyPage } from '../kit/page/lazy-page.ts'
import { workspaceRoute } from '../parent-routes.ts'
import { vulnerabilitiesSearch, vulnerabilityPages } from './paths.ts'

export const routes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/vulnerabilities',
    validateSearch: vulnerabilitiesSearch,
    component: lazyPage(() => import('./VulnerabilitiesPage.tsx')),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/vulnerabilities/$vulnerability',
    component: lazyPage(() => import('./VulnerabilityPage.tsx')),
  }),
] as const

export const item: AreaItem = {
  name: 'Vulnerabilities',
  Icon: IconBug,
  link: vulnerabilityPages.vulnerabilities,
  rooms: ['vulnerabilities'],
}
