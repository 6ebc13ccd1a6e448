import { IconBug } from '@tabler/icons-react'
import { createRoute, linkOptions } from '@tanstack/react-router'
import { listVulnerabilities } from '#contract/vulnerabilities/operations.ts'
import type { AreaItem } from '../area-item.ts'
import { filterIn, type Filter, type Raw } from '../kit/address/search.ts'
import { lazyPage } from '../kit/page/lazy-page.ts'
import { workspaceRoute } from '../parent-routes.ts'

/** `family` is the id of a product family. */
export type VulnerabilitiesSearch = Filter<typeof listVulnerabilities>

export function vulnerabilitiesSearch(raw: Raw): VulnerabilitiesSearch {
  return filterIn(raw, listVulnerabilities)
}

export const pages = {
  vulnerabilities: (slug: string, search: VulnerabilitiesSearch = {}) =>
    linkOptions({ to: '/$slug/vulnerabilities', params: { slug }, search }),
  vulnerability: (slug: string, vulnerability: string) =>
    linkOptions({ to: '/$slug/vulnerabilities/$vulnerability', params: { slug, vulnerability } }),
}

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
  link: pages.vulnerabilities,
  rooms: ['vulnerabilities'],
}
