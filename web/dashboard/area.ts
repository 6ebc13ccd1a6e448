import { IconLayoutDashboard } from '@tabler/icons-react'
import { createRoute, linkOptions } from '@tanstack/react-router'
import type { AreaItem } from '../area-item.ts'
import { workspaceRoute } from '../parent-routes.ts'

export const pages = {
  dashboard: (slug: string) => linkOptions({ to: '/$slug', params: { slug } }),
}

/** Its page is set in routes.ts: it is bundled with the application. */
export const dashboardRoute = createRoute({ getParentRoute: () => workspaceRoute, path: '/' })

export const item: AreaItem = {
  name: 'Dashboard',
  Icon: IconLayoutDashboard,
  link: pages.dashboard,
  rooms: [''],
}
