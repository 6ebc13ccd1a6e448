import { Type, type Static } from 'typebox'
import { Page } from '../page.ts'
import type { AlertData, ToldBesides } from '../alerts/events.ts'
import type { AlertType } from '../alerts/shapes.ts'
import type { WorkspaceState } from '../workspace/plans.ts'
import { roles, type Role } from '../roles.ts'
import type { LostCoverage } from '../inventory/shapes.ts'
import type { WeeklyReport } from '../metrics/weekly-report.ts'
import type { Grade } from '../findings/shapes.ts'
import type { Severity } from '../severities.ts'
import type { FactorChange } from '../people/sign-in.ts'
import type { TokenKind } from '../tokens/shapes.ts'
import { nullable, time, extended } from '../schema.ts'

/** When a member has mail about something of one kind. */
export const noticeChoices = ['at_once', 'digest', 'weekly', 'never'] as const
export type NoticeChoice = (typeof noticeChoices)[number]

/** What is told when it happens, as far as members choose about it. */
const toldKinds = [
  'incident.opened',
  'incident.untaken',
  'deadline.warning',
  'deadline.overdue',
  'approval.requested',
  'report.received',
  'incident.note',
  'report.message',
  'report.unanswered',
  'finding.malware',
  'finding.new',
  'finding.exploited',
  'upload.failed',
  'coverage.lost',
  'token.expiring',
  'plan.ending',
] as const

/** What members can choose mail about. The bell of the application shows all of them but the weekly report. */
export const chosenKinds = [...toldKinds, 'weekly.report'] as const
export type ChosenKind = (typeof chosenKinds)[number]

/** About the security of an account or a workspace: always at once. */
export const securityKinds = [
  'sign_in.new_address',
  'password.changed',
  'second_factor.changed',
  'second_factor.guessed',
  'token.created',
  'token.revoked',
  'member.joined',
  'member.role_changed',
  'member.removed',
] as const

/** What is told when it happens. */
export const noticeKinds = [...toldKinds, ...securityKinds] as const
export type NoticeKind = (typeof noticeKinds)[number]

/** What a member is told about an incident in person. */
export const incidentNotes = [
  'assigned',
  'mentioned',
  'determination_rejected',
  'determination_approved',
  'awareness_requested',
  'awareness_approved',
  'awareness_rejected',
  'awareness_superseded',
  'regime_off_requested',
  'regime_off_approved',
  'regime_off_rejected',
  'evidence_added',
  'listed_after_closing',
] as const
export type IncidentNote = (typeof incidentNotes)[number]

type ProductPlace = { family: string; version: string | null }

type MalwareFinding = {
  id: string
  vulnerability: string
  component: string
  /** Of the component. */
  version: string | null
  grade: Grade
  /** Absent where all are in one. */
  product?: ProductPlace
}

type TokenName = { id: string; name: string; kind: TokenKind }

/** What members are told, as stored. Times are ISO 8601 UTC. Nothing here is secret, and nothing of a report but what events say. */
export type NoticeData = AlertData & {
  'deadline.overdue': AlertData['deadline.warning']
  /** Given to nobody for half an hour, an hour, two hours; the first few, the oldest first, and how many more. `since`: of the oldest. */
  'incident.untaken': {
    incidents: { id: string; reference: string; title: string }[]
    more: number
    since: string
  }
  /** Goes to the members that it names. */
  'incident.note': {
    incident: { id: string; reference: string; title: string }
    what: IncidentNote
    by: string | null
  }
  /** The reporter wrote on the status page. */
  'report.message': { report: { number: number; family: string | null; at: string } }
  /** Told before the promised time has passed, when it has, and each day after. */
  'report.unanswered': {
    report: { number: number; family: string | null; receivedAt: string; acknowledgeBy: string }
    isOverdue: boolean
  }
  /** One record may reach many products at once; the first few findings, the surest first, and how many more. */
  'finding.malware': {
    /** The first of several. */
    product: ProductPlace
    /** Absent: in one. */
    families?: number
    /** How many different ones. Absent in earlier notices: as many as findings. */
    components?: number
    findings: MalwareFinding[]
    more: number
    /** No record says so of them any more. */
    isOver?: true
  }
  /** Since the last digest. */
  'finding.new': { bySeverity: Record<Severity, number> }
  /** `vulnerabilities`: the first few, by the id shown. */
  'finding.exploited': { findings: number; vulnerabilities: string[] }
  'upload.failed': {
    sboms: number
    refusals: number
    /** The newest. */
    latest: { family: string; reason: string } | null
  }
  /** Components that vulnerability data decided about at the last count; the first few ecosystems, the most components first, and how many more. */
  'coverage.lost': { ecosystems: LostCoverage[]; more: number }
  'token.expiring': { token: TokenName; endsAt: string }
  'plan.ending': { plan: 'trial' | 'subscription'; endsAt: string }
  'sign_in.new_address': { address: string; at: string }
  'password.changed': { address: string; at: string }
  /** No address: the operator of the installation did it. */
  'second_factor.changed': { change: FactorChange; address?: string; at: string }
  /** The password was right and the code wrong, again and again. */
  'second_factor.guessed': { address: string; at: string }
  'token.created': { token: TokenName; by: string; at: string }
  'token.revoked': { token: TokenName; by: string; at: string }
  /** `by`: who invited them. */
  'member.joined': { member: string; role: Role; by: string; at: string }
  'member.role_changed': { member: string; from: Role; to: Role; by: string; at: string }
  /** `by` null: they left. `tokens`: those they made and that keep working. */
  'member.removed': { member: string; role: Role; by: string | null; tokens: number; at: string }
}

/** One of them with its data. */
export type NoticeFact = {
  [Kind in NoticeKind]: { type: Kind; data: NoticeData[Kind] } & ToldBesides<Kind>
}[NoticeKind]

/** What a daily digest is made of; `more` are counted and not named. */
export type DigestFact = {
  type: 'digest'
  data: { notices: { fact: NoticeFact; isNamed: boolean }[]; more: number }
}

/** What a member has once a week, who chose to. */
export type WeeklyFact = { type: 'weekly.report'; data: WeeklyReport }

/** What a message is made of. */
export type MailFact = NoticeFact | DigestFact | WeeklyFact

/** Who is told beside or instead of those whose role wants it: ids of people. */
export type Audience = {
  /** Told whatever their role is: the assignee of an incident, who made a token. */
  named?: string[]
  /** Not told: who asks for an approval cannot give it. */
  except?: string[]
}

/** Something that members are told in the bell and by mail, and destinations are not. */
export type NoticeJob = Audience & {
  /** Identifies what happened, however often it is told. A UUID. */
  eventId: string
  fact: NoticeFact
  /** A workspace, or one person about their own account. */
  to: { workspaceId: string } | { personId: string }
}

const everyone: readonly Role[] = roles
const actors: readonly Role[] = ['owner', 'admin', 'lead', 'editor']
const leads: readonly Role[] = ['owner', 'admin', 'lead']
const admins: readonly Role[] = ['owner', 'admin']

/** What came before a move is told by the installation where it came. */
const leaving: readonly WorkspaceState[] = ['moving', 'moved']
const running: readonly WorkspaceState[] = ['trial', 'starter', 'core', 'plus', ...leaving]
const readable: readonly WorkspaceState[] = [...running, 'free', 'suspended']
const always: readonly WorkspaceState[] = [...readable, 'closed']

type Rule = {
  /** Only those are told who are named. */
  onlyNamed?: true
  /** Who may see what it is about. */
  roles: readonly Role[]
  /** The states of the workspace in which it is told. */
  states: readonly WorkspaceState[]
  /** The first is the one in force until a member chooses. */
  choices: readonly [NoticeChoice, ...NoticeChoice[]]
}

const dailyOrNow = ['at_once', 'digest', 'never'] as const
/** What has a deadline never waits for a digest, nor does malware. */
const urgent = ['at_once', 'never'] as const
const daily = ['digest', 'never'] as const

/** The one table that decides who is told what, and in which state of the workspace. An event is told to members too. */
export const noticeRules: Record<NoticeKind | ChosenKind | AlertType, Rule> = {
  'incident.opened': { roles: everyone, states: running, choices: dailyOrNow },
  'incident.untaken': { roles: actors, states: running, choices: urgent },
  'deadline.warning': { roles: leads, states: readable, choices: urgent },
  'deadline.overdue': { roles: leads, states: readable, choices: urgent },
  'approval.requested': { roles: leads, states: readable, choices: urgent },
  'report.received': { roles: actors, states: readable, choices: dailyOrNow },
  'incident.note': { roles: everyone, onlyNamed: true, states: readable, choices: dailyOrNow },
  'report.message': { roles: actors, states: readable, choices: dailyOrNow },
  'report.unanswered': { roles: actors, states: readable, choices: urgent },
  'finding.malware': { roles: everyone, states: running, choices: urgent },
  'finding.new': { roles: everyone, states: running, choices: daily },
  'finding.exploited': { roles: everyone, states: running, choices: daily },
  'upload.failed': { roles: actors, states: running, choices: daily },
  'coverage.lost': { roles: actors, states: running, choices: daily },
  'token.expiring': { roles: admins, states: readable, choices: dailyOrNow },
  'plan.ending': { roles: admins, states: always, choices: dailyOrNow },
  'weekly.report': { roles: everyone, states: readable, choices: ['never', 'weekly'] },
  'sign_in.new_address': { roles: everyone, states: always, choices: ['at_once'] },
  'password.changed': { roles: everyone, states: always, choices: ['at_once'] },
  'second_factor.changed': { roles: everyone, states: always, choices: ['at_once'] },
  'second_factor.guessed': { roles: everyone, states: always, choices: ['at_once'] },
  'token.created': { roles: admins, states: always, choices: ['at_once'] },
  'token.revoked': { roles: admins, states: always, choices: ['at_once'] },
  'member.joined': { roles: admins, states: always, choices: ['at_once'] },
  'member.role_changed': { roles: admins, states: always, choices: ['at_once'] },
  'member.removed': { roles: admins, states: always, choices: ['at_once'] },
}

/** What must reach somebody by mail: the application says so when it would reach no member. */
export const urgentKinds = ['deadline.warning', 'deadline.overdue', 'approval.requested'] as const
export type UrgentKind = (typeof urgentKinds)[number]

export type NoticeChoices = Partial<Record<ChosenKind, NoticeChoice>>

/** The choice in force; one that the kind does not have counts as none. */
export function choiceOf(kind: NoticeKind | ChosenKind, choices: NoticeChoices): NoticeChoice {
  const rule = noticeRules[kind]
  const chosen = (choices as Partial<Record<NoticeKind | ChosenKind, NoticeChoice>>)[kind]
  return chosen !== undefined && rule.choices.includes(chosen) ? chosen : rule.choices[0]
}

/** A member's own settings in one workspace: only kinds that their role is told of. */
export const NoticeSettings = Type.Object({
  /** Where mail goes. */
  email: Type.String(),
  /** The time zone in which the digest comes at 08:00; null: the workspace's. */
  timeZone: nullable(Type.String()),
  workspaceTimeZone: Type.String(),
  kinds: Type.Array(
    Type.Object({
      kind: Type.Enum(chosenKinds),
      choice: Type.Enum(noticeChoices),
      choices: Type.Array(Type.Enum(noticeChoices)),
    }),
  ),
})
export type NoticeSettings = Static<typeof NoticeSettings>

/** What is wrong with the mail of a workspace; nothing when `goesNowhere` is false and `unheard` empty. */
export const MailState = Type.Object({
  /** No mail server is configured: messages are kept and not sent. */
  goesNowhere: Type.Boolean(),
  /** Urgent kinds that no member would have by mail. */
  unheard: Type.Array(Type.Enum(urgentKinds)),
})
export type MailState = Static<typeof MailState>

export const BellRow = Type.Object({
  id: Type.String(),
  kind: Type.Enum(noticeKinds),
  headline: Type.String(),
  /** The most important fact; null when the headline says all. */
  detail: nullable(Type.String()),
  /** Path of the page it is about. */
  path: Type.String(),
  createdAt: time,
  readAt: nullable(time),
})
export type BellRow = Static<typeof BellRow>

/** The newest first. `total` counts all, `unread` those not read. */
export const BellPage = extended(Page(BellRow), { unread: Type.Number() })
export type BellPage = Static<typeof BellPage>

/**
 * What became of a message. `kept`: there is no mail server. `not_sent`: when its turn came, the member was not to have it any more.
 */
export const messageStates = ['waiting', 'sending', 'sent', 'failed', 'kept', 'not_sent'] as const
export type MessageState = (typeof messageStates)[number]
