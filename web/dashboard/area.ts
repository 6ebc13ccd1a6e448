import { IconLayoutDashboard } from '@tabler/icons-react'
import { createRoute } from '@tanstack/react-router'
import type { AreaItem } from '../area-item.ts'
import { workspaceRoute } from '../parent-routes.ts'
import DashboardPage from './DashboardPage.tsx'
import { dashboardPages } from './paths.ts'

/** Bundled with the application, because most people open it first: it saves a request. */
export const routes = [
  createRoute({ getParentRoute: () => workspaceRoute, path: '/', component: DashboardPage }),
] as const

export const item: AreaItem = {
  name: 'Dashboard',
  Icon: IconLayoutDashboard,
  link: dashboardPages.dashboard,
  rooms: [''],
}
