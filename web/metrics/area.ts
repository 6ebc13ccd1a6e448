import { IconChartLine } from '@tabler/icons-react'
import { createRoute } from '@tanstack/react-router'
import type { AreaItem } from '../area-item.ts'
import { lazyPage } from '../kit/page/lazy-page.ts'
import { workspaceRoute } from '../parent-routes.ts'
import { metricsPages, metricsSearch } from './paths.ts'

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
  link: metricsPages.metrics,
  rooms: ['metrics'],
}
