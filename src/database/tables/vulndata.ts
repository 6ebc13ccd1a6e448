import type { Generated } from 'kysely'
import type { Json } from '../json-column.ts'
import type { Catalogue, RangeKind, RecordClass } from '../../contract/findings/shapes.ts'
import type { Severity } from '../../contract/severities.ts'
import type { SourceOutcome } from '../../contract/sources/shapes.ts'
import type { AliasRelation } from '../../contract/vulnerabilities/shapes.ts'

/** Vulnerability records, their groups and ranges, and lists of exploited vulnerabilities. */
export type VulndataTables = {
  data_source: DataSourceTable
  unread_file: UnreadFileTable
  vulnerability_group: VulnerabilityGroupTable
  vulnerability: VulnerabilityTable
  binary_source: BinarySourceTable
  known_release: KnownReleaseTable
  malware_digest: MalwareDigestTable
  affected_range: AffectedRangeTable
  alias_assertion: AliasAssertionTable
  exploited: ExploitedTable
  euvd_mapping: EuvdMappingTable
  epss: EpssTable
}

type DataSourceTable = {
  name: string
  address: string | null
  last_attempt_at: Date | null
  last_success_at: Date | null
  last_error: string | null
  record_count: Generated<number>
  watermark: Date | null
  content_hash: string | null
  scored_on: string | null
  is_whole: Generated<boolean>
  last_outcome: SourceOutcome | null
  failing_since: Date | null
  absent_since: Date | null
  reader_generation: Generated<number>
}

type UnreadFileTable = {
  source: string
  file: string
  reason: string
  failures: Generated<number>
  first_failed_at: Date
  last_failed_at: Date
  ask_again_at: Date
}

type VulnerabilityGroupTable = {
  id: Generated<number>
  title_id: string
  summary: string
  severity: Severity
  score: number | null
  severity_source: string | null
  is_disputed_severity: Generated<boolean>
  is_malware: Generated<boolean>
  cves: Generated<string | null>
}

type VulnerabilityTable = {
  id: Generated<number>
  record_id: string
  source: string
  group_id: number
  class: RecordClass
  summary: string
  severity: Severity
  score: number | null
  vector: string | null
  published_at: Date | null
  modified_at: Date
  withdrawn_at: Date | null
  content_hash: string
  document: string
  imported_at: Date
}

type BinarySourceTable = { package_key: string; release: string; source_key: string }

type KnownReleaseTable = {
  ecosystem: string
  release: string
  /** Its publisher writes no more records on it. */
}

/** `sha512:…` of the package that a malware record is about. */
type MalwareDigestTable = { hash: string; vulnerability_id: number }

type AffectedRangeTable = {
  id: Generated<number>
  vulnerability_id: number
  package_key: string
  release: string
  stream: string
  scheme: string
  lower_key: Buffer | null
  upper_key: Buffer | null
  upper_included: boolean
  kind: RangeKind
  introduced: string
  upper_text: string | null
  doubt: Generated<string | null>
}

type AliasAssertionTable = {
  vulnerability_id: number
  other_id: string
  relation: AliasRelation
  bridges: boolean
}

type ExploitedTable = {
  id: Generated<number>
  source: Catalogue
  cve_id: string | null
  euvd_id: string | null
  name: string
  listed_on: string | null
  first_seen_at: Date
  removed_at: Date | null
  entry: Json<Record<string, unknown>>
}

type EuvdMappingTable = { euvd_id: string; cve_id: string }

type EpssTable = { cve_id: string; score: number; percentile: number }
