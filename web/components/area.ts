import { IconComponents } from '@tabler/icons-react'
import { createRoute } from '@tanstack/react-router'
import type { AreaItem } from '../area-item.ts'
import { lazyPage } from '../kit/page/lazy-page.ts'
import { workspaceRoute } from '../parent-routes.ts'
import { componentPages, componentsSearch } from './paths.ts'

export const routes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/components',
    validateSearch: componentsSearch,
    component: lazyPage(() => import('./ComponentsPage.tsx')),
  }),
] as const

export const item: AreaItem = {
  name: 'Components',
  Icon: IconComponents,
  link: componentPages.components,
  rooms: ['components'],
}
