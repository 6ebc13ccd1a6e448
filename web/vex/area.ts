import { createRoute, linkOptions } from '@tanstack/react-router'
import { vexEntryFilters, type VexEntryFilter } from '#contract/vex/documents.ts'
import { oneOf, present, text, type Raw } from '../kit/address/search.ts'
import { lazyPage } from '../kit/page/lazy-page.ts'
import { workspaceRoute } from '../parent-routes.ts'

export type VexSearch = {
  show?: VexEntryFilter
  search?: string
  /** The number of the statement shown in the drawer. */
  statement?: string
}

export function vexSearch(raw: Raw): VexSearch {
  return present({
    show: oneOf(raw['show'], vexEntryFilters),
    search: text(raw['search']),
    statement: text(raw['statement']),
  })
}

export const pages = {
  vex: (slug: string, document: string, search: VexSearch = {}) =>
    linkOptions({ to: '/$slug/vex/$document', params: { slug, document }, search }),
}

export const routes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/vex/$document',
    validateSearch: vexSearch,
    component: lazyPage(() => import('./VexDocumentPage.tsx')),
  }),
] as const
