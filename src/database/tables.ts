import type { Generated } from 'kysely'
import type { Json, JsonOrNull } from './json-column.ts'
import type {
  ConnectorRefusalTable,
  ConnectorTestTable,
  Verdict,
  VerdictDecisionTable,
  VexClaimTable,
  VexDocumentTable,
  VexExportTable,
  VexLinkTable,
  VexStatementTable,
  VexTargetTable,
} from './vex-tables.ts'

/** Row types of every table, for Kysely. The tables themselves are in database/schema.sql. */
export type Tables = {
  workspace: WorkspaceTable
  disclosure_settings: DisclosureSettingsTable
  person: PersonTable
  member: MemberTable
  session: SessionTable
  sign_in_window: SignInWindowTable
  setup_link: SetupLinkTable
  family: FamilyTable
  product_version: ProductVersionTable
  token: TokenTable
  token_use: TokenUseTable
  audit_event: AuditEventTable
  component_identity: ComponentIdentityTable
  identity_batch: IdentityBatchTable
  sbom: SbomTable
  component: ComponentTable
  component_name: ComponentNameTable
  component_text: ComponentTextTable
  component_hash: ComponentHashTable
  component_search: ComponentSearchTable
  sbom_inventory: SbomInventoryTable
  data_source: DataSourceTable
  vulnerability_group: VulnerabilityGroupTable
  vulnerability: VulnerabilityTable
  affected_range: AffectedRangeTable
  alias_assertion: AliasAssertionTable
  exploited: ExploitedTable
  euvd_mapping: EuvdMappingTable
  epss: EpssTable
  identity_match: IdentityMatchTable
  finding: FindingTable
  finding_turn: FindingTurnTable
  job: JobTable
  store_probe: StoreProbeTable
  vex_document: VexDocumentTable
  vex_statement: VexStatementTable
  vex_claim: VexClaimTable
  vex_target: VexTargetTable
  connector_refusal: ConnectorRefusalTable
  connector_test: ConnectorTestTable
  vex_link: VexLinkTable
  vex_export: VexExportTable
  verdict_decision: VerdictDecisionTable
}

type WorkspaceTable = {
  id: string
  slug: string
  company_name: string
  security_contact_email: string
  time_zone: Generated<string>
  plan: 'trial' | 'starter' | 'core' | 'plus' | 'free'
  trial_ends_at: Date | null
  paid_until: Date | null
  closed_at: Date | null
  created_at: Date
}

type DisclosureSettingsTable = {
  workspace_id: string
  public_contact_email: string | null
  canonical_url: string | null
  acknowledge_days: number | null
}

type PersonTable = {
  id: string
  email: string
  name: string
  password_hash: string | null
  created_at: Date
}

type MemberTable = {
  workspace_id: string
  person_id: string
  role: 'owner' | 'admin' | 'lead' | 'editor' | 'viewer'
  created_at: Date
  removed_at: Date | null
}

type SessionTable = {
  id: string
  secret_hash: Buffer
  person_id: string
  created_at: Date
  last_seen_at: Date
  expires_at: Date
  address: string | null
}

type SignInWindowTable = {
  subject: Buffer
  window_started_at: Date
  attempts: number
  person_id: string | null
}

type SetupLinkTable = { secret_hash: Buffer; created_at: Date; used_at: Date | null }

type FamilyTable = {
  id: string
  workspace_id: string
  name: string
  current_version_id: string | null
  next_component_number: Generated<number>
  created_at: Date
  archived_at: Date | null
  deleted_at: Date | null
}

type ProductVersionTable = {
  id: string
  workspace_id: string
  family_id: string
  name: string
  created_at: Date
  retired_at: Date | null
}

type TokenTable = {
  id: string
  workspace_id: string
  kind: 'upload' | 'results' | 'workspace'
  family_id: string | null
  name: string
  prefix: string
  secret_hash: Buffer
  created_at: Date
  created_by: string | null
  expires_at: Date | null
  revoked_at: Date | null
  revoked_by: string | null
}

type TokenUseTable = {
  token_id: string
  last_used_at: Date
  window_started_at: Date
  window_requests: number
}

type AuditEventTable = {
  id: Generated<number>
  workspace_id: string | null
  at: Date
  actor_kind: 'person' | 'token' | 'system'
  actor_id: string | null
  actor_name: string
  action: string
  object_kind: string
  object_id: string
  object_name: string | null
  before: JsonOrNull<unknown>
  after: JsonOrNull<unknown>
  request_id: string | null
  address: string | null
}

type ComponentIdentityTable = {
  id: string
  ecosystem: string | null
  package_key: string | null
  subject: string
  version: string
  release: string | null
  stream: string
  scheme: string | null
  version_key: Buffer | null
  key_generation: number
  decidability: 'covered' | 'not_covered' | 'no_version' | 'uncomparable' | 'release_unknown'
  reason: string | null
  basis: 'purl' | 'cpe' | 'guessed_cpe' | 'name'
  created_at: Date
  matched_at: Date | null
}

/** Texts of columns (`columnText`), not single values. */
type IdentityBatchTable = {
  workspace_id: string
  family_id: string
  sbom_id: string
  place: number
  id: string
  ecosystem: string
  package_key: string
  subject: string
  version: string
  release: string
  stream: string
  scheme: string
  version_key: string
  key_generation: number
  decidability: string
  reason: string
  basis: string
}

type SbomTable = {
  id: string
  workspace_id: string
  family_id: string
  version_id: string | null
  sha256: Buffer
  status: 'received' | 'parsed' | 'matched' | 'failed'
  active: boolean
  replaced_by: string | null
  format: 'cyclonedx' | 'spdx'
  spec_version: string
  document_name: string | null
  document_id: string | null
  document_created_at: string | null
  tools: string[]
  operating_system: JsonOrNull<{ name: string; version: string | null }>
  main_component: JsonOrNull<Record<string, unknown>>
  hints: Json<{ code: string; message: string; pointer: string | null; count: number }[]>
  vulnerability_entries: number
  source: 'hosted_ci' | 'pipeline_ci' | 'sbom_tracker' | 'sbom_hub' | 'api' | 'application'
  sent_by: string
  token_id: string | null
  commit_id: string | null
  branch: string | null
  repository: string | null
  run_url: string | null
  size_bytes: number
  raw: Buffer
  raw_encoding: 'identity' | 'gzip'
  component_count: number
  component_numbers: number[]
  parent_numbers: Generated<(number | null)[]>
  owner_numbers: Generated<number[]>
  owned_numbers: Generated<number[]>
  received_at: Date
  matched_at: Date | null
  failure: string | null
}

type ComponentTable = {
  workspace_id: string
  family_id: string
  number: number
  hash: string
  identity_id: string
  type: string | null
  group_name: string | null
  name: string
  version: string | null
  purl: string | null
  cpe: string | null
  licence: string | null
  supplier: string | null
  hashes: string[]
}

type ComponentNameTable = { workspace_id: string; name: string; family_id: string; number: number }

type ComponentTextTable = { workspace_id: string; name: string; text: string }

type ComponentHashTable = { search_key: string; family_id: string; number: number }

type ComponentSearchTable = { family_id: string; workspace_id: string; next_number: number }

type SbomInventoryTable = {
  sbom_id: string
  workspace_id: string
  /** A multirange as text: `{[1,5),[7,9)}`. */
  numbers: string
  /** null until it is counted. */
  coverage: JsonOrNull<
    { decidability: string; ecosystem: string | null; reason: string | null; components: number }[]
  >
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
}

export type Severity = 'critical' | 'high' | 'medium' | 'low' | 'none' | 'unknown'

type VulnerabilityGroupTable = {
  id: Generated<number>
  title_id: string
  summary: string
  severity: Severity
  score: number | null
  severity_source: string | null
  is_disputed_severity: Generated<boolean>
}

type VulnerabilityTable = {
  id: Generated<number>
  record_id: string
  source: string
  group_id: number
  class: 'vulnerability' | 'malware' | 'informational'
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
  kind: 'range' | 'listed'
  introduced: string
  upper_text: string | null
  doubt: Generated<string | null>
}

type AliasAssertionTable = {
  vulnerability_id: number
  other_id: string
  relation: 'self' | 'alias' | 'upstream' | 'related'
  bridges: boolean
}

type ExploitedTable = {
  id: Generated<number>
  source: 'kev' | 'euvd'
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

type IdentityMatchTable = {
  identity_id: string
  vulnerability_id: number
  grade: 'exact' | 'possible'
  grade_reason: string | null
  range_id: number
  matched_at: Date
}

type FindingTable = {
  id: string
  workspace_id: string
  family_id: string
  version_id: string | null
  identity_id: string
  group_id: number
  grade: 'exact' | 'possible'
  exploited_by: string[]
  first_seen_at: Date
  closed_at: Date | null
  verdict: Generated<Verdict | null>
  verdict_justification: Generated<string | null>
  verdict_decision_id: Generated<string | null>
  verdict_document_id: Generated<string | null>
  verdict_statement: Generated<number | null>
  verdict_since: Generated<Date | null>
}

type FindingTurnTable = {
  finding_id: string
  at: Date
  is_settled: boolean
  family_id: string
  id: Generated<number>
}

type StoreProbeTable = { filler: string }

type JobTable = {
  id: Generated<number>
  kind: string
  key: string | null
  workspace_id: string
  payload: Json<Record<string, unknown>>
  state: 'waiting' | 'running' | 'failed'
  run_at: Date
  created_at: Date
  attempts: Generated<number>
  max_attempts: number
  leased_until: Date | null
  leased_by: string | null
  failed_at: Date | null
  last_error: string | null
}
