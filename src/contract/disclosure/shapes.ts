import type { IncidentReference } from '../incidents/reference.ts'
import type { Page } from '../page.ts'

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
  attachments: 5,
  attachmentBytes: 10 * 1024 * 1024,
  attachmentsBytes: 20 * 1024 * 1024,
  /** The files of all reports of a workspace together, unless the operator says otherwise for it. */
  workspaceBytes: 1024 ** 3,
  /** Of these, the share of the files of reports that are taken for spam. */
  spamShare: 1 / 4,
} as const

/** The room that the files of reports take in a workspace, and how much there is of it. */
export type FileRoom = { usedBytes: number; mostBytes: number }

/** What a reporter wrote, sealed at rest. Empty: not given. */
export type ReportText = {
  title: string
  description: string
  impact: string
  type: string
  cve: string
  version: string
  /** In their words, where they chose no family. */
  product: string
  toldOthers: string
  creditName: string
  creditOrganisation: string
  creditLink: string
  contactName: string
  contactEmail: string
}

export type InboxRow = {
  id: string
  number: number
  state: ReportState
  receivedAt: string
  /** null: nothing was promised, or it is answered. */
  acknowledgeBy: string | null
  family: { id: string; name: string } | null
  exploited: ExploitedAnswer
  /** null: erased, or the key it was sealed with is missing. */
  title: string | null
  isErased: boolean
}

export type InboxCounts = Record<InboxTab, number> & {
  /** New ones whose promised time has passed. */
  overdue: number
}

/** New reports; of them those whose promised time ends soon, and those past it. */
export type InboxWaiting = { unanswered: number; dueSoon: number; overdue: number }

/** The newest first. */
export type InboxPage = Page<InboxRow> & {
  counts: InboxCounts
  /** Reports can be taken: a key to seal them is there. */
  canReceive: boolean
  files: FileRoom
}

/**
 * `reporter` and `company`: the thread that both see. `outside`: how the reporter was answered elsewhere; `note`: for members alone;
 * `state`: it changed.
 */
export const entryKinds = ['reporter', 'company', 'outside', 'note', 'state'] as const
export type EntryKind = (typeof entryKinds)[number]

export type InboxEntry = {
  id: string
  kind: EntryKind
  at: string
  /** Of a member; null: the reporter, or the service itself. */
  by: string | null
  /** null: none, or it cannot be opened. */
  text: string | null
  state: ReportState | null
}

export type InboxAttachment = {
  id: string
  /** null: it cannot be opened. */
  name: string | null
  bytes: number
}

export type RelatedReport = { number: number; state: ReportState }

export type InboxReport = Omit<InboxRow, 'title'> & {
  /** null: erased, or it cannot be opened. */
  report: ReportText | null
  isUnreadable: boolean
  language: PublicLanguage
  answeredAt: string | null
  closedAt: string | null
  erasedAt: string | null
  spamReasons: SpamReason[]
  wantsCredit: boolean
  creditConsent: boolean
  /** As shown on the page of acknowledgments; null: not shown. */
  credit: { name: string; link: string | null; day: string } | null
  embargoUntil: string | null
  /** The reporter is told by mail that there is something new. */
  hasMail: boolean
  duplicateOf: RelatedReport | null
  duplicates: RelatedReport[]
  entries: InboxEntry[]
  attachments: InboxAttachment[]
  next: ReportState[]
  /** What it belongs to. */
  incidents: { id: string; reference: IncidentReference }[]
  advisories: { id: string; trackingId: string }[]
  families: { id: string; name: string }[]
}

/** What the disclosure settings say, with what follows from them. */
export type DisclosureSettings = {
  publicContactEmail: string | null
  /** In force where there is none: the company's own. */
  fallbackContactEmail: string
  policy: string | null
  acknowledgeDays: number | null
  canonicalUrl: string | null
  /** Why the address helps nobody, though it is kept; null: nothing. */
  canonicalWarning: string | null
  encryptionUrl: string | null
  languages: PublicLanguage[]
  embargoDays: number
  /** Which families the form offers. */
  families: { id: string; name: string; isOffered: boolean }[]
  /** Of the public pages. */
  urls: { policy: string; securityTxt: string; acknowledgments: string }
  securityTxt: string
  canReceive: boolean
  files: FileRoom
}

/** What was found at the customer's own address. */
export type SecurityTxtCheck = {
  url: string
  checkedAt: string
  /** Nothing wrong was found. */
  isFine: boolean
  problems: string[]
}
