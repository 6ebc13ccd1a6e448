import { createRoute, linkOptions } from '@tanstack/react-router'
import { findingSorts, type FindingSort } from '#contract/findings/lists.ts'
import { componentSorts, type ComponentSort } from '#contract/inventory/components.ts'
import { listFindings } from '#contract/sbom/operations.ts'
import { filterIn, oneOf, present, text, type Filter, type Raw } from '../kit/address/search.ts'
import { lazyPage } from '../kit/page/lazy-page.ts'
import { workspaceRoute } from '../parent-routes.ts'

export const sbomTabs = ['findings', 'components', 'dependencies', 'quality', 'changes'] as const
export type SbomTab = (typeof sbomTabs)[number]

export type SbomSearch = Omit<Filter<typeof listFindings>, 'sort'> & {
  tab?: SbomTab
  sort?: FindingSort | ComponentSort
  /** The finding shown in the drawer. */
  finding?: string
  /** The number of the component shown in the drawer. */
  component?: string
}

export function sbomSearch(raw: Raw): SbomSearch {
  const { sort: _sort, ...filter } = filterIn(raw, listFindings)
  return {
    ...filter,
    ...present({
      tab: oneOf(raw['tab'], sbomTabs),
      sort: oneOf(raw['sort'], [...findingSorts, ...componentSorts]),
      finding: text(raw['finding']),
      component: text(raw['component']),
    }),
  }
}

export const pages = {
  sbom: (slug: string, sbom: string, search: SbomSearch = {}) =>
    linkOptions({ to: '/$slug/sboms/$sbom', params: { slug, sbom }, search }),
  comparison: (slug: string, sbom: string, other: string) =>
    linkOptions({ to: '/$slug/sboms/$sbom/compare/$other', params: { slug, sbom, other } }),
}

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
