import { IconLayoutDashboard } from '@tabler/icons-react'
import { createRoute } from '@tanstack/react-router'
import type { AreaItem } from '../area-item.ts'
import { workspaceRoute } from '../parent-routes.ts'
import DashboardPage from './DashboardPage.tsx'
import { dashboardPages } from './paths.ts'

/** It comes with the application, which most people open here: a request less. */
export const routes = [
  createRoute({ getParentRoute: () => workspaceRoute, path: '/', component: DashboardPage }),
] as const

export const item: AreaItem = {
  name: 'Dashboard',
  Icon: IconLayoutDashboard,
  link: dashboardPages.dashboard,
  rooms: [''],
}
