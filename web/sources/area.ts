import { IconDatabase } from '@tabler/icons-react'
import { createRoute } from '@tanstack/react-router'
import type { AreaItem } from '../area-item.ts'
import { lazyPage } from '../kit/page/lazy-page.ts'
import { workspaceRoute } from '../parent-routes.ts'
import { sourcePages, sourcesSearch } from './paths.ts'

export const routes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/sources',
    validateSearch: sourcesSearch,
    component: lazyPage(() => import('./SourcesPage.tsx')),
  }),
] as const

export const item: AreaItem = {
  name: 'Sources',
  Icon: IconDatabase,
  link: sourcePages.sources,
  rooms: ['sources'],
}
