import { IconChartLine } from '@tabler/icons-react'
import { createRoute, linkOptions } from '@tanstack/react-router'
import { getMetrics } from '#contract/metrics/operations.ts'
import type { AreaItem } from '../area-item.ts'
import { filterIn, type Filter, type Raw } from '../kit/address/search.ts'
import { lazyPage } from '../kit/page/lazy-page.ts'
import { workspaceRoute } from '../parent-routes.ts'

/** `family` is the id of a product family. */
export type MetricsSearch = Filter<typeof getMetrics>

export function metricsSearch(raw: Raw): MetricsSearch {
  return filterIn(raw, getMetrics)
}

export const pages = {
  metrics: (slug: string, search: MetricsSearch = {}) =>
    linkOptions({ to: '/$slug/metrics', params: { slug }, search }),
}

export const routes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/metrics',
    validateSearch: metricsSearch,
    component: lazyPage(() => import('./MetricsPage.tsx')),
  }),
] as const

export const item: AreaItem = {
  name: 'Metrics',
  Icon: IconChartLine,
  link: pages.metrics,
  rooms: ['metrics'],
}
