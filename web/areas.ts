import * as account from './account/area.ts'
import * as advisories from './advisories/area.ts'
import * as components from './components/area.ts'
import * as dashboard from './dashboard/area.ts'
import * as families from './families/area.ts'
import * as findings from './findings/area.ts'
import * as inbox from './inbox/area.ts'
import * as incidents from './incidents/area.ts'
import * as metrics from './metrics/area.ts'
import * as notices from './notices/area.ts'
import * as sboms from './sboms/area.ts'
import * as settings from './settings/area.ts'
import * as setup from './setup/area.ts'
import * as signIn from './sign-in/area.ts'
import * as sources from './sources/area.ts'
import * as vex from './vex/area.ts'
import * as vulnerabilities from './vulnerabilities/area.ts'
import * as workspaces from './workspaces/area.ts'

/** The address of every page, as Link and navigate take it. */
export const pages = {
  ...account.pages,
  ...advisories.pages,
  ...components.pages,
  ...dashboard.pages,
  ...families.pages,
  ...findings.pages,
  ...inbox.pages,
  ...incidents.pages,
  ...metrics.pages,
  ...notices.pages,
  ...sboms.pages,
  ...settings.pages,
  ...signIn.pages,
  ...sources.pages,
  ...vex.pages,
  ...vulnerabilities.pages,
  ...workspaces.pages,
}

/** Pages open to visitors who are not signed in. */
export const outsideRoutes = [...setup.routes, ...signIn.routes] as const

/** Pages of a person, outside any workspace. */
export const personRoutes = [...workspaces.routes, ...account.routes] as const

/** Pages of a workspace, but for its dashboard. */
export const workspaceRoutes = [
  ...inbox.routes,
  ...incidents.routes,
  ...families.routes,
  ...sboms.routes,
  ...components.routes,
  ...vulnerabilities.routes,
  ...findings.routes,
  ...vex.routes,
  ...advisories.routes,
  ...metrics.routes,
  ...sources.routes,
  ...settings.routes,
  ...notices.routes,
] as const

/** In the sidebar: daily work. */
export const workItems = [
  dashboard.item,
  inbox.item,
  incidents.item,
  families.item,
  components.item,
  vulnerabilities.item,
  advisories.item,
  metrics.item,
]

/** In the sidebar: data and settings. */
export const basisItems = [sources.item, settings.item]

/** The part of a workspace an address belongs to: `/acme/sboms/…` → `sboms`; '' is the workspace's own page. */
export function roomOf(pathname: string): string {
  return pathname.split('/')[2] ?? ''
}
