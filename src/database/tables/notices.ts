import type { Generated } from 'kysely'
import type {
  MessageState,
  NoticeChoices,
  MailFact,
  NoticeFact,
  NoticeKind,
} from '../../contract/notices/shapes.ts'
import type { LetterFact } from '../../contract/notices/letters.ts'
import type { Json } from '../json-column.ts'

/** What members are told in person, and mail to whoever it is. */
export type NoticesTables = {
  member_notices: MemberNoticesTable
  bell_entry: BellEntryTable
  mail: MailTable
  digest_turn: DigestTurnTable
  weekly_turn: WeeklyTurnTable
  expiry_notice: ExpiryNoticeTable
}

type MemberNoticesTable = {
  workspace_id: string
  person_id: string
  time_zone: string | null
  choices: Json<NoticeChoices>
}

type BellEntryTable = {
  id: string
  workspace_id: string | null
  person_id: string
  event_id: string
  kind: NoticeKind
  fact: Json<NoticeFact>
  is_named: boolean
  created_at: Date
  read_at: Date | null
  digested_at: Date | null
}

type MailTable = {
  id: string
  workspace_id: string | null
  person_id: string | null
  event_id: string
  kind: (MailFact | LetterFact)['type']
  fact: Json<MailFact | LetterFact>
  is_named: boolean
  recipient: string
  recipient_name: string
  message_id: string | null
  subject: string | null
  text: string | null
  html: string | null
  state: MessageState
  created_at: Date
  due_at: Date
  attempts: Generated<number>
  crashes: Generated<number>
  is_begun: Generated<boolean>
  turn: Generated<number>
  leased_by: string | null
  leased_until: Date | null
  ended_at: Date | null
  reason: string | null
  link_id: string | null
}

type DigestTurnTable = { workspace_id: string; person_id: string; day: string; until: Date }

type WeeklyTurnTable = { workspace_id: string; person_id: string; week: string }

type ExpiryNoticeTable = { object_id: string; ends_at: Date; days: number; told_at: Date }
