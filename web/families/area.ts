import { IconPackages } from '@tabler/icons-react'
import { createRoute, linkOptions } from '@tanstack/react-router'
import { listFamilies } from '#contract/products/operations.ts'
import { vexDocumentStates, type VexDocumentState } from '#contract/vex/documents.ts'
import type { AreaItem } from '../area-item.ts'
import { filterIn, oneOf, present, text, type Filter, type Raw } from '../kit/address/search.ts'
import { lazyPage } from '../kit/page/lazy-page.ts'
import { workspaceRoute } from '../parent-routes.ts'

export type FamiliesSearch = Filter<typeof listFamilies> & { dialog?: 'create' }

export function familiesSearch(raw: Raw): FamiliesSearch {
  return { ...filterIn(raw, listFamilies), ...present({ dialog: oneOf(raw['dialog'], ['create']) }) }
}

export const familyTabs = ['versions', 'vex', 'reported', 'trend', 'history', 'upload', 'product'] as const
export type FamilyTab = (typeof familyTabs)[number]
export type FamilySearch = {
  tab?: FamilyTab
  /** Filter of the listed VEX documents. */
  state?: VexDocumentState
  /** Version whose reported findings are listed: its id, or `none`. */
  version?: string
}

export function familySearch(raw: Raw): FamilySearch {
  return present({
    tab: oneOf(raw['tab'], familyTabs),
    state: oneOf(raw['state'], vexDocumentStates),
    version: text(raw['version']),
  })
}

export const pages = {
  families: (slug: string, search: FamiliesSearch = {}) =>
    linkOptions({ to: '/$slug/families', params: { slug }, search }),
  family: (slug: string, family: string, search: FamilySearch = {}) =>
    linkOptions({ to: '/$slug/families/$family', params: { slug, family }, search }),
}

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
  link: pages.families,
  rooms: ['families', 'sboms', 'findings', 'vex'],
}
