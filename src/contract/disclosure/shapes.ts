import { Type, type Static } from 'typebox'
import { IncidentReference } from '../incidents/reference.ts'
import { Page } from '../page.ts'
import { time, nullable, Named, extended } from '../schema.ts'

/** Where a report is on its way (the phases of ISO/IEC 30111). `spam` is not told to anybody. */
export const reportStates = [
  'new',
  'acknowledged',
  'investigating',
  'confirmed',
  'not_reproduced',
  'duplicate',
  'out_of_scope',
  'spam',
  'fixed',
  'disclosed',
  'closed',
] as const
export type ReportState = (typeof reportStates)[number]

/**
 * Which state may follow which by a member's choice. A report is acknowledged by answering it, made a duplicate by naming the other
 * one, and leaves or enters spam by acts of their own.
 */
export const nextStates: Record<ReportState, readonly ReportState[]> = {
  new: [],
  acknowledged: ['investigating', 'confirmed', 'not_reproduced', 'out_of_scope', 'closed'],
  investigating: ['confirmed', 'not_reproduced', 'out_of_scope', 'closed'],
  confirmed: ['investigating', 'not_reproduced', 'fixed', 'disclosed', 'closed'],
  not_reproduced: ['investigating', 'closed'],
  duplicate: ['investigating', 'closed'],
  out_of_scope: ['investigating', 'closed'],
  spam: [],
  fixed: ['investigating', 'disclosed', 'closed'],
  disclosed: ['investigating', 'closed'],
  closed: ['investigating'],
}

export const inboxTabs = ['new', 'open', 'closed', 'spam'] as const
export type InboxTab = (typeof inboxTabs)[number]

/** The states that a tab of the inbox lists. */
export const statesOfTab: Record<InboxTab, readonly ReportState[]> = {
  new: ['new'],
  open: [
    'acknowledged',
    'investigating',
    'confirmed',
    'not_reproduced',
    'duplicate',
    'out_of_scope',
    'fixed',
    'disclosed',
  ],
  closed: ['closed'],
  spam: ['spam'],
}

/** Whether the reporter knows of an exploitation. */
export const exploitedAnswers = ['yes', 'no', 'unknown'] as const
export type ExploitedAnswer = (typeof exploitedAnswers)[number]

/** Languages of the fixed words of public pages, by their tags (BCP 47). */
export const publicLanguages = ['en', 'nb', 'de'] as const
export type PublicLanguage = (typeof publicLanguages)[number]

/** Days within which a company may promise to answer; null: it promises nothing. */
export const promiseDays = [1, 2, 3, 5, 7] as const

/** Why a report was taken for spam. */
export const spamReasons = [
  'hidden_field',
  'too_fast',
  'same_text',
  'many_from_address',
  'many_in_workspace',
  'many_links',
  'foreign_markup',
  'by_member',
] as const
export type SpamReason = (typeof spamReasons)[number]

export const reportLimits = {
  titleCharacters: 200,
  descriptionCharacters: 20_000,
  impactCharacters: 4_000,
  shortCharacters: 200,
  linkCharacters: 500,
  messageCharacters: 20_000,
  /** What a reporter may write into the thread of one report: everybody with the link, and every member, is shown all of it. */
  threadBytes: 512 * 1024,
  attachments: 5,
  attachmentBytes: 10 * 1024 * 1024,
  attachmentsBytes: 20 * 1024 * 1024,
  /** The files of all reports of a workspace together, unless the operator says otherwise for it. */
  workspaceBytes: 1024 ** 3,
  /** Of these, the share of the files of reports that are taken for spam. */
  spamShare: 1 / 4,
} as const

/** The room that the files of reports take in a workspace, and how much there is of it. */
export const FileRoom = Type.Object({ usedBytes: Type.Number(), maxBytes: Type.Number() })
export type FileRoom = Static<typeof FileRoom>

/** What a reporter wrote, sealed at rest. Empty: not given. */
export const ReportText = Type.Object({
  title: Type.String(),
  description: Type.String(),
  impact: Type.String(),
  type: Type.String(),
  cve: Type.String(),
  version: Type.String(),
  /** In their words, where they chose no family. */
  product: Type.String(),
  toldOthers: Type.String(),
  creditName: Type.String(),
  creditOrganisation: Type.String(),
  creditLink: Type.String(),
  contactName: Type.String(),
  contactEmail: Type.String(),
})
export type ReportText = Static<typeof ReportText>

export const InboxRow = Type.Object({
  id: Type.String(),
  number: Type.Number(),
  state: Type.Enum(reportStates),
  receivedAt: time,
  /** null: nothing was promised, or it is answered. */
  acknowledgeBy: nullable(Type.String()),
  family: nullable(Named),
  exploited: Type.Enum(exploitedAnswers),
  /** null: erased, or the key it was sealed with is missing. */
  title: nullable(Type.String()),
  isErased: Type.Boolean(),
})
export type InboxRow = Static<typeof InboxRow>

export const InboxCounts = extended(Type.Record(Type.Enum(inboxTabs), Type.Number()), {
  /** New ones whose promised time has passed. */
  overdue: Type.Number(),
})
export type InboxCounts = Static<typeof InboxCounts>

/** New reports; of them those whose promised time ends soon, and those past it. */
export const InboxWaiting = Type.Object({
  unanswered: Type.Number(),
  dueSoon: Type.Number(),
  overdue: Type.Number(),
})
export type InboxWaiting = Static<typeof InboxWaiting>

/** The newest first. */
export const InboxPage = extended(Page(InboxRow), {
  counts: InboxCounts,
  /** Reports can be taken: a key to seal them is there. */
  canReceive: Type.Boolean(),
  files: FileRoom,
})
export type InboxPage = Static<typeof InboxPage>

/**
 * `reporter` and `company`: the thread that both see. `outside`: how the reporter was answered elsewhere; `note`: for members alone;
 * `state`: it changed.
 */
export const entryKinds = ['reporter', 'company', 'outside', 'note', 'state'] as const
export type EntryKind = (typeof entryKinds)[number]

export const InboxEntry = Type.Object({
  id: Type.String(),
  kind: Type.Enum(entryKinds),
  at: time,
  /** Of a member; null: the reporter, or the service itself. */
  by: nullable(Type.String()),
  /** null: none, or it cannot be opened. */
  text: nullable(Type.String()),
  state: nullable(Type.Enum(reportStates)),
})
export type InboxEntry = Static<typeof InboxEntry>

export const InboxAttachment = Type.Object({
  id: Type.String(),
  /** null: it cannot be opened. */
  name: nullable(Type.String()),
  bytes: Type.Number(),
})
export type InboxAttachment = Static<typeof InboxAttachment>

export const RelatedReport = Type.Object({
  id: Type.String(),
  number: Type.Number(),
  state: Type.Enum(reportStates),
})
export type RelatedReport = Static<typeof RelatedReport>

export const InboxReport = extended(Type.Omit(InboxRow, ['title']), {
  /** null: erased, or it cannot be opened. */
  report: nullable(ReportText),
  isUnreadable: Type.Boolean(),
  language: Type.Enum(publicLanguages),
  answeredAt: nullable(time),
  closedAt: nullable(time),
  erasedAt: nullable(time),
  spamReasons: Type.Array(Type.Enum(spamReasons)),
  wantsCredit: Type.Boolean(),
  creditConsent: Type.Boolean(),
  /** When the reporter withdrew it: then only they can give it again. */
  consentWithdrawnAt: nullable(time),
  /** As shown on the page of acknowledgments; null: not shown. */
  credit: nullable(Type.Object({ name: Type.String(), link: nullable(Type.String()), day: Type.String() })),
  embargoUntil: nullable(Type.String()),
  /** The reporter is told by mail that there is something new. */
  hasMail: Type.Boolean(),
  duplicateOf: nullable(RelatedReport),
  duplicates: Type.Array(RelatedReport),
  entries: Type.Array(InboxEntry),
  attachments: Type.Array(InboxAttachment),
  next: Type.Array(Type.Enum(reportStates)),
  /** What it belongs to. */
  incidents: Type.Array(Type.Object({ id: Type.String(), reference: IncidentReference })),
  advisories: Type.Array(Type.Object({ id: Type.String(), trackingId: Type.String() })),
  families: Type.Array(Named),
})
export type InboxReport = Static<typeof InboxReport>

/** What the disclosure settings say, with what follows from them. */
export const DisclosureSettings = Type.Object({
  publicContactEmail: nullable(Type.String()),
  /** In force where there is none: the company's own. */
  fallbackContactEmail: Type.String(),
  policy: nullable(Type.String()),
  acknowledgeDays: nullable(Type.Number()),
  canonicalUrl: nullable(Type.String()),
  /** Why the address helps nobody, though it is kept; null: nothing. */
  canonicalWarning: nullable(Type.String()),
  encryptionUrl: nullable(Type.String()),
  languages: Type.Array(Type.Enum(publicLanguages)),
  embargoDays: Type.Number(),
  /** Which families the form offers. */
  families: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), isOffered: Type.Boolean() })),
  /** Of the public pages. */
  urls: Type.Object({ policy: Type.String(), securityTxt: Type.String(), acknowledgments: Type.String() }),
  securityTxt: Type.String(),
  canReceive: Type.Boolean(),
  files: FileRoom,
})
export type DisclosureSettings = Static<typeof DisclosureSettings>

/** What was found at the customer's own address. */
export const SecurityTxtCheck = Type.Object({
  url: Type.String(),
  checkedAt: time,
  /** Nothing wrong was found. */
  isFine: Type.Boolean(),
  problems: Type.Array(Type.String()),
})
export type SecurityTxtCheck = Static<typeof SecurityTxtCheck>
