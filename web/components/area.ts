import { IconComponents } from '@tabler/icons-react'
import { createRoute, linkOptions } from '@tanstack/react-router'
import { listComponentUses } from '#contract/inventory/operations.ts'
import type { AreaItem } from '../area-item.ts'
import { filterIn, type Filter, type Raw } from '../kit/address/search.ts'
import { lazyPage } from '../kit/page/lazy-page.ts'
import { workspaceRoute } from '../parent-routes.ts'

export type ComponentsSearch = Filter<typeof listComponentUses>

export function componentsSearch(raw: Raw): ComponentsSearch {
  return filterIn(raw, listComponentUses)
}

export const pages = {
  components: (slug: string, search: ComponentsSearch = {}) =>
    linkOptions({ to: '/$slug/components', params: { slug }, search }),
}

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
  link: pages.components,
  rooms: ['components'],
}
