import type { DoraFacts } from '../../contract/incidents/dora-facts.ts'
import type { DraftSnapshot } from '../../contract/incidents/incident-evidence.ts'
import type { IncidentReference } from '../../contract/incidents/reference.ts'
import type { ColumnType, Generated } from 'kysely'
import type { Regime, ReportStage } from '../../contract/alerts/events.ts'
import type { Catalogue } from '../../contract/findings/shapes.ts'
import type { Informed } from '../../contract/incidents/shapes.ts'
import type {
  AwarenessState,
  DeterminationScope,
  DeterminationState,
  DeterminationValue,
  EntryKind,
  IncidentKind,
  IncidentSource,
  IncidentStatus,
  NotRequiredReason,
  ReportState,
  SubmissionKind,
} from '../../contract/incidents/words.ts'
import type { Authority, Confirmed } from '../../contract/incidents/regimes.ts'
import type { ActorKind } from '../../contract/roles.ts'
import type { Severity } from '../../contract/sbom/shapes.ts'
import type { Json, JsonOrNull } from '../json-column.ts'

/** Incidents, their clocks, decisions and what was filed. */
export type IncidentsTables = {
  regime_settings: RegimeSettingsTable
  incident_number: IncidentNumberTable
  incident: IncidentTable
  incident_family: IncidentFamilyTable
  incident_link: IncidentLinkTable
  incident_affected: IncidentAffectedTable
  suppressed_opening: SuppressedOpeningTable
  incident_regime: IncidentRegimeTable
  regime_report: RegimeReportTable
  report_draft: ReportDraftTable
  draft_editor: DraftEditorTable
  submission: SubmissionTable
  determination: DeterminationTable
  awareness_change: AwarenessChangeTable
  incident_entry: IncidentEntryTable
  incident_task: IncidentTaskTable
  dismissed_match: DismissedMatchTable
}

type RegimeSettingsTable = {
  workspace_id: string
  cra: boolean
  digitalsikkerhetsloven: boolean
  gdpr: boolean
  dora: boolean
  main_establishment: string | null
  authorities: Json<Partial<Record<Regime, Authority>>>
  confirmed: ColumnType<Confirmed, string | undefined, string>
  dora_facts: ColumnType<DoraFacts, string | undefined, string>
  dora_facts_changed_at: Generated<Date | null>
}

type IncidentNumberTable = { workspace_id: string; year: number; last: number }

type IncidentTable = {
  id: string
  workspace_id: string
  reference: IncidentReference
  kind: IncidentKind
  title: string
  vuln_key: string | null
  aliases: string[]
  source: IncidentSource
  listed_by: Catalogue[]
  severity: Severity
  is_exercise: boolean
  status: IncidentStatus
  opened_at: Date
  opened_by_kind: 'person' | 'system'
  opened_by: string | null
  opened_by_name: string
  aware_at: Date
  occurred_at: Date | null
  measure_available_at: Date | null
  member_states: Generated<string[]>
  assignee: string | null
  /** Since when it is given to nobody; null: since it was opened. */
  untaken_since: Date | null
  /** How often members were reminded that it is. */
  untaken_told: Generated<number>
  cycle: Generated<number>
  follows: string | null
  users_informed: JsonOrNull<Informed>
  maintainer_informed: JsonOrNull<Informed>
  closed_at: Date | null
  closed_by_name: string | null
  close_reason: string | null
}

type IncidentFamilyTable = {
  workspace_id: string
  incident_id: string
  family_id: string
  vuln_key: string | null
  is_open: boolean
  is_exercise: boolean
}

/** Each pair once, `one` the smaller id. */
type IncidentLinkTable = { workspace_id: string; one: string; other: string; linked_at: Date }

type IncidentAffectedTable = {
  incident_id: string
  workspace_id: string
  family_id: string
  version_id: string | null
  version: string | null
  identity_id: string
  group_id: number
  vuln_key: string
  component: string
  component_version: string | null
  purl: string | null
  listed_by: Catalogue[]
  added_at: Date
  noted_gone: Generated<boolean>
  noted_unnamed: Generated<boolean>
  noted_verdict: string | null
  noted_document_id: string | null
}

type SuppressedOpeningTable = {
  id: string
  workspace_id: string
  family_id: string
  version_id: string | null
  identity_id: string
  group_id: number
  vuln_key: string
  component: string
  component_version: string | null
  version: string | null
  document_id: string
  statement: number
  verdict: string
  since: Date
  ended_at: Date | null
}

type IncidentRegimeTable = {
  workspace_id: string
  incident_id: string
  regime: Regime
  is_active: boolean
  aware_at: Date | null
  classified_at: Date | null
  waiver: Extract<NotRequiredReason, 'no_risk'> | null
  reason: string | null
  changed_at: Date
  changed_by_name: string
}

type RegimeReportTable = {
  id: string
  workspace_id: string
  incident_id: string
  regime: Regime
  report: ReportStage
  cycle: number
  state: ReportState
  due_at: Date | null
  lead_hours: number
  reason: NotRequiredReason | null
  created_at: Date
  submitted_at: Date | null
  warned_at: Date | null
  mailed_at: Date | null
  overdue_told_at: Date | null
}

type ReportDraftTable = {
  report_id: string
  workspace_id: string
  fields_version: string
  field_values: Json<Record<string, unknown>>
  revision: number
  saved_at: Date
  saved_by_name: string
}

/** Who has a draft open; `typed_at` is null while they only look at it. */
type DraftEditorTable = {
  report_id: string
  workspace_id: string
  person_id: string
  name: string
  seen_at: Date
  typed_at: Date | null
}

type SubmissionTable = {
  id: string
  workspace_id: string
  incident_id: string
  report_id: string
  kind: SubmissionKind
  submitted_at: Date
  first_submitted_at: Date | null
  recorded_at: Date
  recorded_by: string | null
  recorded_by_name: string
  channel: string
  authority: string | null
  external_reference: string | null
  draft: JsonOrNull<DraftSnapshot>
  receipt: Buffer | null
  object_id: Generated<string | null>
  receipt_name: string | null
  delay_reason: string | null
  before_approval: boolean
}

/** Of what may wait for a second person. */
export type DecisionColumns = {
  recorded_by: string
  recorded_by_name: string
  recorded_at: Date
  decided_by: string | null
  decided_by_name: string | null
  decided_at: Date | null
  comment: string | null
  self_approved: Generated<boolean>
}

type DeterminationTable = DecisionColumns & {
  id: string
  workspace_id: string
  incident_id: string
  scope: DeterminationScope
  value: DeterminationValue
  state: DeterminationState
  cycle: number
  reasoning: string
  evidence: string[]
  classified_at: Date | null
  approvers: number
}

type AwarenessChangeTable = DecisionColumns & {
  id: string
  workspace_id: string
  incident_id: string
  from_at: Date
  to_at: Date
  /** The regime that is to be switched off; null: it is a change of awareness. */
  regime: Regime | null
  reason: string
  state: AwarenessState
}

type IncidentEntryTable = {
  id: Generated<number>
  workspace_id: string
  incident_id: string
  at: Date
  kind: EntryKind
  actor_kind: ActorKind
  actor_id: string | null
  actor_name: string
  data: Json<Record<string, unknown>>
}

type IncidentTaskTable = {
  id: string
  workspace_id: string
  incident_id: string
  title: string
  due_at: Date | null
  created_at: Date
  created_by_name: string
  done_at: Date | null
  done_by_name: string | null
}

type DismissedMatchTable = {
  id: string
  workspace_id: string
  family_id: string
  version_id: string | null
  identity_id: string
  group_id: number
  reason: string
  dismissed_at: Date
  dismissed_by_name: string
}
