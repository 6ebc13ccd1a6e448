import type { Operation } from '../operation.ts'
import { accountOperations } from './account.ts'
import { connectorOperations } from './connector.ts'
import { familyOperations } from './families.ts'
import { findingOperations } from './findings.ts'
import { inventoryOperations } from './inventory.ts'
import { sbomOperations } from './sboms.ts'
import { sessionOperations } from './session.ts'
import { sourceOperations } from './sources.ts'
import { tokenRoutes } from './tokens.ts'
import { uploadOperations } from './uploads.ts'
import { vexExportOperations } from './vex-export.ts'
import { vexOperations } from './vex.ts'
import { vulnerabilityOperations } from './vulnerabilities.ts'
import { workspaceOperations } from './workspace.ts'

/** The application's own interface (contract/app.ts). */
export const appOperations: readonly Operation[] = [
  ...sessionOperations,
  ...accountOperations,
  ...workspaceOperations,
  ...familyOperations,
  ...connectorOperations,
  ...sbomOperations,
  ...vexOperations,
  ...vexExportOperations,
  ...uploadOperations,
  ...findingOperations,
  ...inventoryOperations,
  ...vulnerabilityOperations,
  ...tokenRoutes,
  ...sourceOperations,
]
