import { IconDatabase } from '@tabler/icons-react'
import { createRoute, linkOptions } from '@tanstack/react-router'
import type { AreaItem } from '../area-item.ts'
import { present, text, type Raw } from '../kit/address/search.ts'
import { lazyPage } from '../kit/page/lazy-page.ts'
import { workspaceRoute } from '../parent-routes.ts'

export type SourcesSearch = { source?: string }

export function sourcesSearch(raw: Raw): SourcesSearch {
  return present({ source: text(raw['source']) })
}

export const pages = {
  sources: (slug: string, search: SourcesSearch = {}) =>
    linkOptions({ to: '/$slug/sources', params: { slug }, search }),
}

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
  link: pages.sources,
  rooms: ['sources'],
}
