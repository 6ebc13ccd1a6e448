import type { Generated } from 'kysely'
import type { Json, JsonOrNull } from '../json-column.ts'
import type { ContentEncoding } from '../../contract/encodings.ts'
import type { AnyUploadSource } from '../../contract/sbom/shapes.ts'
import type {
  UnboundReason,
  Verdict,
  VexEntryKind,
  VexFormat,
  VexTargetKind,
  VexVersionStatus,
} from '../../contract/vex/shapes.ts'

/** What is said about vulnerabilities: VEX documents and members' decisions. */
export type VexTables = {
  vex_document: VexDocumentTable
  vex_statement: VexStatementTable
  vex_claim: VexClaimTable
  vex_target: VexTargetTable
  vex_link: VexLinkTable
  vex_export: VexExportTable
  verdict_decision: VerdictDecisionTable
}

type VexDocumentTable = {
  id: string
  workspace_id: string
  family_id: string
  version_id: string | null
  sbom_id: string | null
  sha256: Buffer
  format: VexFormat
  format_label: string
  document_id: string | null
  author: string | null
  document_time: Date | null
  source: AnyUploadSource
  sent_by: string
  token_id: string | null
  statement_count: number
  finding_count: number
  unbound_count: number
  hints: Json<string[]>
  reading_generation: Generated<number>
  size_bytes: number
  raw: Buffer | null
  object_id: Generated<string | null>
  raw_encoding: ContentEncoding | null
  received_at: Date
  replaced_by: string | null
  replaced_at: Date | null
  withdrawn_at: Date | null
  withdrawn_by: string | null
}

type VexStatementTable = {
  workspace_id: string
  family_id: string
  document_id: string
  number: number
  kind: VexEntryKind
  vulnerability_ids: string[]
  verdict: Verdict | null
  raw_status: string | null
  justification: string | null
  raw_justification: string | null
  impact: string | null
  action: string | null
  responses: string[]
  stated_at: Date | null
  pointer: string
  product_label: string
  unbound_reason: UnboundReason | null
}

type VexClaimTable = {
  workspace_id: string
  family_id: string
  vulnerability_id: string
  document_id: string
  number: number
}

type VexTargetTable = {
  workspace_id: string
  family_id: string
  document_id: string
  number: number
  place: number
  kind: VexTargetKind
  purl: string | null
  cpe: string | null
  purl_key: string | null
  bom_link: JsonOrNull<{ serialNumber: string; version: number; ref: string }>
  carriers: JsonOrNull<
    {
      purl?: string
      cpe?: string
      versions?: { version?: string; range?: string; status: VexVersionStatus }[]
    }[]
  >
  versions: JsonOrNull<{ version?: string; range?: string; status: VexVersionStatus }[]>
}

type VexLinkTable = {
  workspace_id: string
  family_id: string
  document_id: string
  number: number
  place: number
  sbom_id: string
  is_product: boolean
  purl: string | null
  cpe: string | null
}

type VexExportTable = {
  workspace_id: string
  family_id: string
  version_id: string | null
  format: VexFormat
  document_id: string
  exports: number
  first_at: Date
  last_at: Date
}

type VerdictDecisionTable = {
  id: string
  workspace_id: string
  family_id: string
  every_version: boolean
  version_id: string | null
  package_key: string
  vulnerability_id: string
  verdict: Verdict
  justification: string | null
  comment: string
  decided_at: Date
  decided_by: string
  decided_by_name: string
  expires_at: Date | null
  ended_at: Generated<Date | null>
  ended_by: Generated<string | null>
  ended_by_name: Generated<string | null>
  replaced_by: Generated<string | null>
  batch_id: Generated<string | null>
}
