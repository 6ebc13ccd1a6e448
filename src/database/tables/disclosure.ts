import type { Generated } from 'kysely'
import type {
  EntryKind,
  ExploitedAnswer,
  PublicLanguage,
  ReportState,
  SpamReason,
} from '../../contract/disclosure/shapes.ts'

/** What the world tells a company. */
export type DisclosureTables = {
  disclosure_settings: DisclosureSettingsTable
  offered_family: { workspace_id: string; family_id: string }
  inbox_counter: { workspace_id: string; last_number: number }
  inbox_report: InboxReportTable
  inbox_entry: InboxEntryTable
  inbox_attachment: InboxAttachmentTable
  inbox_report_incident: { workspace_id: string; report_id: string; incident_id: string; linked_at: Date }
  used_form: { stamp: Buffer; used_at: Date }
  disclosure_window: { subject: Buffer; window_started_at: Date; hits: number }
  acknowledgment: AcknowledgmentTable
}

type InboxReportTable = {
  id: string
  workspace_id: string
  number: number
  received_at: Date
  acknowledge_by: Date | null
  answered_at: Date | null
  remind_at: Date | null
  state: ReportState
  state_at: Date
  spam_reasons: Generated<SpamReason[]>
  told_at: Date | null
  family_id: string | null
  language: PublicLanguage
  exploited: ExploitedAnswer
  /** A calendar day, `2026-09-12`. */
  embargo_until: string | null
  wants_credit: boolean
  credit_consent: boolean
  /** By whoever sent the report, behind their own link. */
  consent_withdrawn_at: Generated<Date | null>
  duplicate_of: string | null
  receipt_hash: Buffer | null
  receipt_sealed: Buffer | null
  text_sealed: Buffer | null
  text_hash: Buffer | null
  closed_at: Date | null
  erased_at: Date | null
}

type InboxEntryTable = {
  id: string
  workspace_id: string
  report_id: string
  kind: EntryKind
  at: Date
  person_id: string | null
  text_sealed: Buffer | null
  state: ReportState | null
  number: Generated<number>
}

type InboxAttachmentTable = {
  id: string
  workspace_id: string
  report_id: string
  size_bytes: number
  name_sealed: Buffer
  /** null: it is in the object store. */
  content_sealed: Buffer | null
  object_id: Generated<string | null>
}

type AcknowledgmentTable = {
  id: string
  workspace_id: string
  report_id: string | null
  name: string
  link: string | null
  day: string
}

type DisclosureSettingsTable = {
  workspace_id: string
  public_contact_email: string | null
  canonical_url: string | null
  acknowledge_days: number | null
  policy: Generated<string | null>
  encryption_url: Generated<string | null>
  languages: Generated<PublicLanguage[]>
  embargo_days: Generated<number>
}
