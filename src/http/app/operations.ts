import type { Operation } from '../operation.ts'
import { accountRoutes } from './account.ts'
import { advisoryRoutes } from './advisories.ts'
import { billingRoutes } from './company/billing.ts'
import { closingRoutes } from './company/closing.ts'
import { companyRoutes } from './company/company.ts'
import { auditRoutes } from './exports/audit.ts'
import { exportRoutes } from './exports/lists.ts'
import { connectorRoutes } from './connector.ts'
import { dependencyRoutes } from './dependencies.ts'
import { destinationRoutes } from './destinations.ts'
import { familyRoutes } from './families.ts'
import { findingRoutes } from './findings.ts'
import { incidentActRoutes } from './incidents/incident-acts.ts'
import { incidentReportRoutes } from './incidents/incident-reports.ts'
import { incidentRoutes } from './incidents/incidents.ts'
import { inboxRoutes } from './inbox.ts'
import { inventoryRoutes } from './inventory.ts'
import { memberRoutes } from './people/members.ts'
import { noticeRoutes } from './notices.ts'
import { profileRoutes } from './people/profile.ts'
import { sbomRetentionRoutes, sbomRoutes } from './sboms.ts'
import { passkeyRoutes } from './sign-in/passkeys.ts'
import { secondFactorRoutes } from './sign-in/second-factor.ts'
import { signInRoutes } from './sign-in/settings.ts'
import { sessionRoutes } from './session.ts'
import { signUpRoutes } from './people/sign-up.ts'
import { sourceRoutes } from './sources.ts'
import { tokenRoutes } from './tokens.ts'
import { uploadRoutes } from './uploads.ts'
import { vexRoutes } from './vex.ts'
import { vulnerabilityRoutes } from './vulnerabilities.ts'
import { workspaceRoutes } from './workspace.ts'

/** The application's own interface (contract/<subject>/operations.ts). */
export const appOperations: readonly Operation[] = [
  ...sessionRoutes,
  ...signUpRoutes,
  ...profileRoutes,
  ...accountRoutes,
  ...secondFactorRoutes,
  ...passkeyRoutes,
  ...signInRoutes,
  ...workspaceRoutes,
  ...companyRoutes,
  ...billingRoutes,
  ...closingRoutes,
  ...memberRoutes,
  ...familyRoutes,
  ...connectorRoutes,
  ...sbomRoutes,
  ...sbomRetentionRoutes,
  ...dependencyRoutes,
  ...vexRoutes,
  ...uploadRoutes,
  ...findingRoutes,
  ...incidentActRoutes,
  ...incidentReportRoutes,
  ...inventoryRoutes,
  ...vulnerabilityRoutes,
  ...tokenRoutes,
  ...destinationRoutes,
  ...advisoryRoutes,
  ...inboxRoutes,
  ...noticeRoutes,
  ...sourceRoutes,
  ...incidentRoutes,
  ...auditRoutes,
  ...exportRoutes,
]
