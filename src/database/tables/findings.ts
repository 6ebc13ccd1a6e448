import type { Generated } from 'kysely'
import type { JsonOrNull } from '../json-column.ts'
import type { Grade } from '../../contract/findings/shapes.ts'
import type { Verdict } from '../../contract/vex/shapes.ts'

/** Findings, and what search and coverage look through. */
export type FindingsTables = {
  finding: FindingTable
  finding_turn: FindingTurnTable
  component_name: ComponentNameTable
  component_text: ComponentTextTable
  component_hash: ComponentHashTable
  component_search: ComponentSearchTable
  sbom_inventory: SbomInventoryTable
}

type FindingTable = {
  id: string
  workspace_id: string
  family_id: string
  version_id: string | null
  identity_id: string
  group_id: number
  grade: Grade
  exploited_by: string[]
  first_seen_at: Date
  closed_at: Date | null
  verdict: Generated<Verdict | null>
  verdict_justification: Generated<string | null>
  verdict_decision_id: Generated<string | null>
  verdict_document_id: Generated<string | null>
  verdict_statement: Generated<number | null>
  verdict_since: Generated<Date | null>
  first_verdict_at: Generated<Date | null>
  /** When members were told that it is malware, while it is open. */
  malware_told_at: Generated<Date | null>
  /** It closed while the product still had the component. */
  ended_by_data: Generated<boolean>
}

type FindingTurnTable = {
  finding_id: string
  at: Date
  is_settled: boolean
  family_id: string
  id: Generated<number>
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
