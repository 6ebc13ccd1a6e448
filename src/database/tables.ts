import type { AdvisoriesTables } from './tables/advisories.ts'
import type { AlertsTables } from './tables/alerts.ts'
import type { AuditTables } from './tables/audit.ts'
import type { BackupTables } from './tables/backup.ts'
import type { BillingTables } from './tables/billing.ts'
import type { DisclosureTables } from './tables/disclosure.ts'
import type { FindingsTables } from './tables/findings.ts'
import type { MetricsTables } from './tables/metrics.ts'
import type { IncidentsTables } from './tables/incidents.ts'
import type { MatchingTables } from './tables/matching.ts'
import type { NoticesTables } from './tables/notices.ts'
import type { OriginalsTables } from './tables/originals.ts'
import type { PeopleTables } from './tables/people.ts'
import type { PlatformTables } from './tables/platform.ts'
import type { QueueTables } from './tables/queue.ts'
import type { ProductsTables } from './tables/products.ts'
import type { SbomTables } from './tables/sbom.ts'
import type { VexTables } from './tables/vex.ts'
import type { VulndataTables } from './tables/vulndata.ts'
import type { WorkspaceTables } from './tables/workspace.ts'

/** Row types of every table, for Kysely, by the room that writes it. The tables themselves are in database/schema.sql. */
export type Tables = AuditTables &
  WorkspaceTables &
  BillingTables &
  ProductsTables &
  PeopleTables &
  SbomTables &
  VexTables &
  VulndataTables &
  MatchingTables &
  FindingsTables &
  MetricsTables &
  IncidentsTables &
  DisclosureTables &
  AdvisoriesTables &
  NoticesTables &
  AlertsTables &
  PlatformTables &
  QueueTables &
  OriginalsTables &
  BackupTables
