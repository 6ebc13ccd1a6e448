import { accountPages } from './account/paths.ts'
import { advisoryPages } from './advisories/paths.ts'
import { componentPages } from './components/paths.ts'
import { dashboardPages } from './dashboard/paths.ts'
import { familyPages } from './families/paths.ts'
import { findingPages } from './findings/paths.ts'
import { inboxPages } from './inbox/paths.ts'
import { incidentPages } from './incidents/paths.ts'
import { metricsPages } from './metrics/paths.ts'
import { noticePages } from './notices/paths.ts'
import { sbomPages } from './sboms/paths.ts'
import { settingsPages } from './settings/paths.ts'
import { signInPages } from './sign-in/paths.ts'
import { sourcePages } from './sources/paths.ts'
import { vexPages } from './vex/paths.ts'
import { vulnerabilityPages } from './vulnerabilities/paths.ts'
import { workspacePages } from './workspaces/paths.ts'

/** The address of every page, as Link and navigate take it; each subject has its own `paths.ts`. */
export const pages = {
  ...accountPages,
  ...advisoryPages,
  ...componentPages,
  ...dashboardPages,
  ...familyPages,
  ...findingPages,
  ...inboxPages,
  ...incidentPages,
  ...metricsPages,
  ...noticePages,
  ...sbomPages,
  ...settingsPages,
  ...signInPages,
  ...sourcePages,
  ...vexPages,
  ...vulnerabilityPages,
  ...workspacePages,
}

/** The part of a workspace an address belongs to: `/acme/sboms/…` → `sboms`; '' is the workspace's own page. */
export function roomOf(pathname: string): string {
  return pathname.split('/')[2] ?? ''
}
