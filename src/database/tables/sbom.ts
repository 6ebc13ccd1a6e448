import type { ColumnType, Generated } from 'kysely'
import type { Json, JsonOrNull } from '../json-column.ts'
import type { ContentEncoding } from '../../contract/encodings.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import type { Decidability, IdentityBasis, KeyOrigin } from '../../contract/identity.ts'
import type { SbomKeep } from '../../contract/sbom/retention.ts'
import type { AnyUploadSource, ComponentScope, SbomFormat, SbomStatus } from '../../contract/sbom/shapes.ts'

/** SBOMs with their components, what these are to vulnerability data, and requests of connectors. */
export type SbomTables = {
  component_identity: ComponentIdentityTable
  identity_key: IdentityKeyTable
  identity_batch: IdentityBatchTable
  sbom: SbomTable
  component: ComponentTable
  connector_refusal: ConnectorRefusalTable
  connector_test: ConnectorTestTable
  sbom_retention: SbomRetentionTable
  removed_sbom: RemovedSbomTable
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
  decidability: Decidability
  reason: string | null
  basis: IdentityBasis
  /** Whether a loaded record names it; null where data decide without that. */
  is_named: boolean | null
  /** Of further keys that are covered, beside its own; null where none will ever be. */
  other_ecosystems: string[] | null
  /** Since when no record names it, where one did and nothing else covers it. */
  uncovered_at: Date | null
  created_at: Date
  matched_at: Date | null
}

type IdentityKeyTable = {
  identity_id: string
  number: number
  origin: KeyOrigin
  ecosystem: string
  package_key: string
  version: string
  release: string | null
  stream: string
  scheme: string
  version_key: Buffer | null
  decidability: Decidability
  basis: IdentityBasis
  is_named: boolean | null
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
  other_ecosystems: Generated<string>
  further_keys: ColumnType<unknown[][], string | undefined, string>
}

type SbomTable = {
  id: string
  workspace_id: string
  family_id: string
  version_id: string | null
  sha256: Buffer
  status: SbomStatus
  active: boolean
  replaced_by: string | null
  format: SbomFormat
  spec_version: string
  document_name: string | null
  document_id: string | null
  document_created_at: string | null
  tools: string[]
  operating_system: JsonOrNull<{ name: string; version: string | null }>
  main_component: JsonOrNull<Record<string, unknown>>
  hints: Json<{ code: string; message: string; pointer: string | null; count: number }[]>
  vulnerability_entries: number
  source: AnyUploadSource
  sent_by: string
  token_id: string | null
  commit_id: string | null
  branch: string | null
  repository: string | null
  run_url: string | null
  size_bytes: number
  /** null: it is in the object store. */
  raw: Buffer | null
  object_id: Generated<string | null>
  raw_encoding: Exclude<ContentEncoding, 'zstd'>
  component_count: number
  component_numbers: number[]
  parent_numbers: Generated<(number | null)[]>
  dependency_graph: Buffer | null
  owner_numbers: Generated<number[]>
  owned_numbers: Generated<number[]>
  identity_generation: Generated<number>
  received_at: Date
  matched_at: Date | null
  failure: string | null
  failed_at: Generated<Date | null>
  replaced_at: Generated<Date | null>
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
  scope: ComponentScope | null
  resolves: string[] | null
  /** Further package URLs, then further CPEs of the document's author; null: none. */
  other_names: string[] | null
  concluded_cpes: string[] | null
}

type ConnectorRefusalTable = {
  id: string
  workspace_id: string
  family_id: string
  at: Date
  times: Generated<number>
  error: ErrorCode
  detail: string | null
  notification_group: string | null
  project_name: string | null
  project_version: string | null
  size_bytes: number | null
  token_id: string
  token_name: string
  resolved_at: Date | null
}

type ConnectorTestTable = {
  family_id: string
  workspace_id: string
  at: Date
  notification_group: string
  token_name: string
}

type SbomRetentionTable = {
  family_id: string
  workspace_id: string
  keep: SbomKeep
  amount: number | null
  cra_lifted_at: Date | null
  cra_lifted_by_name: string | null
  changed_at: Date
  changed_by_name: string
}

type RemovedSbomTable = {
  id: string
  workspace_id: string
  family_id: string
  version_id: string | null
  sha256: Buffer
  format: SbomFormat
  spec_version: string
  size_bytes: number
  component_count: number
  finding_count: number
  received_at: Date
  replaced_at: Date
  removed_at: Date
  keep: Exclude<SbomKeep, 'all'>
  amount: number
  cra_lifted: boolean
}
