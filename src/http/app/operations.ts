import type { Operation } from '../operation.ts'
import { accountRoutes } from './people/account.ts'
import { advisoryRoutes } from './advisories/advisories.ts'
import { billingRoutes } from './workspace/billing.ts'
import { closingRoutes } from './workspace/closing.ts'
import { companyRoutes } from './workspace/company.ts'
import { auditRoutes } from './exports/audit.ts'
import { exportRoutes } from './exports/lists.ts'
import { connectorRoutes } from './products/connector.ts'
import { dependencyRoutes } from './sboms/dependencies.ts'
import { destinationRoutes } from './destinations.ts'
import { familyRoutes } from './products/families.ts'
import { findingRoutes } from './findings.ts'
import { incidentActRoutes } from './incidents/incident-acts.ts'
import { incidentReportRoutes } from './incidents/incident-reports.ts'
import { incidentRoutes } from './incidents/incidents.ts'
import { inboxRoutes } from './inbox.ts'
import { inventoryRoutes } from './inventory.ts'
import { metricsRoutes } from './metrics.ts'
import { memberRoutes } from './people/members.ts'
import { noticeRoutes } from './notices.ts'
import { profileRoutes } from './people/profile.ts'
import { sbomRetentionRoutes, sbomRoutes } from './sboms/sboms.ts'
import { passkeyRoutes } from './sign-in/passkeys.ts'
import { secondFactorRoutes } from './sign-in/second-factor.ts'
import { signInRoutes } from './sign-in/settings.ts'
import { sessionRoutes } from './sign-in/session.ts'
import { signUpRoutes } from './people/sign-up.ts'
import { sourceRoutes } from './sources.ts'
import { tokenRoutes } from './products/tokens.ts'
import { uploadRoutes } from './sboms/uploads.ts'
import { vexRoutes } from './vex/vex.ts'
import { vulnerabilityRoutes } from './vulnerabilities.ts'
import { workspaceRoutes } from './workspace/workspace.ts'

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
  ...metricsRoutes,
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
