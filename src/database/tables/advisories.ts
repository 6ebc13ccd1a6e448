import type { Generated } from 'kysely'
import type {
  AdvisoryContent,
  AdvisoryLinkKind,
  AdvisorySeverity,
  DraftState,
  PublicationKind,
  Tlp,
} from '../../contract/advisories/shapes.ts'
import type { Json } from '../json-column.ts'

/** Advisories, their drafts, and the versions that were published. */
export type AdvisoriesTables = {
  advisory_feed: AdvisoryFeedTable
  advisory_number: AdvisoryNumberTable
  advisory: AdvisoryTable
  advisory_draft: AdvisoryDraftTable
  advisory_version: AdvisoryVersionTable
  advisory_link: AdvisoryLinkTable
}

type AdvisoryFeedTable = {
  workspace_id: string
  tracking_prefix: string | null
  second_person_publishes: Generated<boolean>
  general_note: Generated<string>
  legal_note: Generated<string>
  generation: Generated<number>
  last_released_at: Date | null
  last_white_at: Date | null
}

type AdvisoryNumberTable = { workspace_id: string; year: number; last: number }

type AdvisoryTable = {
  id: string
  workspace_id: string
  tracking_id: string
  file_name: string
  created_at: Date
  created_by_name: string
  last_revision: number
  current_ordinal: number | null
  year: number | null
  first_released_at: Date | null
}

type AdvisoryDraftTable = {
  advisory_id: string
  workspace_id: string
  revision: number
  state: DraftState
  content: Json<AdvisoryContent>
  edited_at: Date
  edited_by: string | null
  edited_by_name: string
}

type AdvisoryVersionTable = {
  id: string
  workspace_id: string
  advisory_id: string
  ordinal: number
  number: string
  kind: PublicationKind
  tlp: Tlp
  severity: AdvisorySeverity | null
  title: string
  summary: string
  released_at: Date
  published_by: string | null
  published_by_name: string
  publisher_name: string
  publisher_contact: string
  namespace: string
  content: Json<AdvisoryContent>
  bytes: Buffer
  sha256: string
  sha512: string
}

type AdvisoryLinkTable = {
  workspace_id: string
  advisory_id: string
  kind: AdvisoryLinkKind
  object_id: string
  linked_at: Date
  linked_by_name: string
}
