import type { IncidentReference } from './reference.ts'
import { determinations, type Regime, type ReportStage } from '../alerts/events.ts'
import type { Catalogue } from '../findings/shapes.ts'
import type { ActorKind } from '../roles.ts'
import type { ReportState as InboxReportState } from '../disclosure/shapes.ts'
import type { Severity } from '../sbom/shapes.ts'
import type { Verdict } from '../vex/shapes.ts'
import type { DoraFacts } from './dora-facts.ts'
import type { IncidentFlaw } from './flaw.ts'
import type { KeptValue } from './kept-values.ts'
import type { DraftForm, DraftProblem, DraftValues } from './report-drafts.ts'

/** What an incident is about. */
export const incidentKinds = ['vulnerability', 'severe_incident'] as const
export type IncidentKind = (typeof incidentKinds)[number]

/** What opened it: the catalogue that listed the vulnerability, a member, or a report in the inbox. */
export const incidentSources = ['kev', 'euvd', 'manual', 'report'] as const
export type IncidentSource = (typeof incidentSources)[number]

export const incidentStatuses = ['open', 'closed'] as const
export type IncidentStatus = (typeof incidentStatuses)[number]

/** How a report is stored. `waiting`: what its time is counted from has not happened yet. */
export const reportStates = ['waiting', 'open', 'submitted', 'not_required'] as const
export type ReportState = (typeof reportStates)[number]

/** As people see it: what is stored, and what the time makes of it. */
export const reportStatuses = [...reportStates, 'due_soon', 'overdue', 'late'] as const
export type ReportStatus = (typeof reportStatuses)[number]

/** Why a report is not required. */
export const notRequiredReasons = [
  'before_application',
  'determination',
  'classification_rejected',
  'regime_off',
  'no_risk',
] as const
export type NotRequiredReason = (typeof notRequiredReasons)[number]

export const determinationStates = ['pending', 'approved', 'rejected', 'withdrawn', 'superseded'] as const
export type DeterminationState = (typeof determinationStates)[number]

export const determinationValues = [...determinations.cra, ...determinations.dora] as const

export type DeterminationScope = keyof typeof determinations
export type DeterminationValue = (typeof determinations)[DeterminationScope][number]

/** A decision that says that no report is needed has no effect until a second person approves it. */
export const negativeValues: readonly DeterminationValue[] = [
  'not_exploited',
  'not_affected',
  'not_severe',
  'dora_not_major',
]

/** Which values a kind of incident can have in a scope. */
export const valuesFor: Record<IncidentKind, Record<DeterminationScope, readonly DeterminationValue[]>> = {
  vulnerability: {
    cra: ['actively_exploited', 'not_exploited', 'not_affected'],
    dora: ['dora_major', 'dora_not_major'],
  },
  severe_incident: { cra: ['severe_incident', 'not_severe'], dora: ['dora_major', 'dora_not_major'] },
}

export const awarenessStates = ['in_force', 'pending', 'approved', 'rejected', 'withdrawn'] as const
export type AwarenessState = (typeof awarenessStates)[number]

/** `update`: a further report on the same stage, such as an updated intermediate report. `amendment`: a correction of what was filed. */
export const submissionKinds = ['submission', 'update', 'amendment'] as const
export type SubmissionKind = (typeof submissionKinds)[number]

/** The shortest reasoning that explains anything. */
export const shortestReasoning = 20

/** What happened on an incident, in order. */
export const entryKinds = [
  'opened',
  'follow_up',
  'linked',
  'affected_added',
  'left_sbom',
  'back_in_sbom',
  'declared',
  'undeclared',
  'listed',
  'unlisted',
  'monitoring_resumed',
  'awareness_changed',
  'awareness_requested',
  'awareness_decided',
  'measure_changed',
  'facts_changed',
  'regime_on',
  'regime_off',
  'regime_off_requested',
  'regime_off_decided',
  'report_waived',
  'determination_recorded',
  'determination_decided',
  'determination_withdrawn',
  'warned',
  'overdue',
  'draft_saved',
  'submitted',
  'submission_corrected',
  'receipt_added',
  'users_informed',
  'maintainer_informed',
  'task_added',
  'task_done',
  'assigned',
  'commented',
  'advisory_linked',
  'report_linked',
  'report_unlinked',
  'closed',
  'reopened',
] as const
export type EntryKind = (typeof entryKinds)[number]

/** One line of an incident's timeline. `data`: by kind, words and ids for people; the page makes sentences of it. */
export type IncidentEntry = {
  id: string
  at: string
  kind: EntryKind
  actor: { kind: ActorKind; name: string }
  data: Record<string, unknown>
}

export type ReportSummary = {
  id: string
  regime: Regime
  report: ReportStage
  cycle: number
  status: ReportStatus
  /** null: it waits for what its time is counted from. */
  dueAt: string | null
  submittedAt: string | null
  reason: NotRequiredReason | null
}

export type IncidentRow = {
  id: string
  reference: IncidentReference
  kind: IncidentKind
  title: string
  families: { id: string; name: string }[]
  vulnKey: string | null
  source: IncidentSource
  listedBy: Catalogue[]
  severity: Severity
  isExercise: boolean
  status: IncidentStatus
  openedAt: string
  awareAt: string
  /** Of the open report that is due next, overdue ones first. */
  next: ReportSummary | null
  overdue: number
  /** The newest of the CRA scope. */
  determination: { value: DeterminationValue; state: DeterminationState; recordedBy: string } | null
  assignee: { id: string; name: string } | null
}

export type AffectedRow = {
  familyId: string
  family: string
  /** null: a product without version. */
  version: string | null
  component: { name: string; version: string | null; purl: string | null }
  listedBy: Catalogue[]
  addedAt: string
  /** Of the finding, while it is there. */
  findingId: string | null
  /** The finding is still open. */
  isPresent: boolean
}

export type DeterminationRow = {
  id: string
  scope: DeterminationScope
  value: DeterminationValue
  state: DeterminationState
  cycle: number
  reasoning: string
  evidence: string[]
  approvers: number
  recordedBy: { id: string; name: string }
  recordedAt: string
  decidedBy: string | null
  decidedAt: string | null
  comment: string | null
  /** Approved by an owner because there was no second person. */
  selfApproved: boolean
}

export type AwarenessRow = {
  id: string
  /** The regime that is to be switched off, which waits for a second person as well; null: it is a change of awareness. */
  regime: Regime | null
  from: string
  to: string
  reason: string
  state: AwarenessState
  recordedBy: { id: string; name: string }
  recordedAt: string
  decidedBy: string | null
  decidedAt: string | null
  comment: string | null
  selfApproved: boolean
}

export type SubmissionRow = {
  id: string
  reportId: string
  regime: Regime
  report: ReportStage
  cycle: number
  kind: SubmissionKind
  submittedAt: string
  /** As it was before a typing error was corrected. */
  firstSubmittedAt: string | null
  recordedAt: string
  recordedBy: string
  channel: string
  authority: string | null
  reference: string | null
  delayReason: string | null
  receiptName: string | null
  hasDraft: boolean
  /** Filed while a determination waited for approval. */
  beforeApproval: boolean
}

/** Why an incident cannot be closed yet. */
export const closeBlockers = [
  'determination_missing',
  'determination_pending',
  'awareness_pending',
  'reports_open',
] as const
export type CloseBlocker = (typeof closeBlockers)[number]

export type RegimeOnIncident = {
  regime: Regime
  isActive: boolean
  awareAt: string
  /** Other than that of the incident. */
  hasOwnAwareness: boolean
  classifiedAt: string | null
  reason: string | null
  authority: Authority | null
}

/** Regimes that a member switches on: of a personal data breach, and of an effect on a covered service. */
export type SuggestedRegime = Extract<Regime, 'gdpr' | 'digitalsikkerhetsloven'>

export type IncidentTask = {
  id: string
  title: string
  dueAt: string | null
  createdAt: string
  createdBy: string
  doneAt: string | null
  doneBy: string | null
}

/** Another incident, and why it is named. */
export type RelatedIncident = {
  id: string
  reference: IncidentReference
  title: string
  status: IncidentStatus
  relation: 'same_vulnerability' | 'follows' | 'followed_by'
}

export type Informed = { at: string; by: string; how: string }

/** Who may decide what waits, as seen by whoever asks. */
export type Approval = {
  /** May decide it now. */
  allowed: boolean
  /** Why not; null when it is allowed. */
  refusal: string | null
  /** An owner may approve without a second person, because there is none. */
  override: boolean
}

/** `number`: of the version in force; null: nothing is published yet. */
export type LinkedAdvisory = { id: string; trackingId: string; number: string | null }

export type IncidentDetail = Omit<IncidentRow, 'next'> & {
  aliases: string[]
  /** null: it is about no vulnerability. */
  flaw: IncidentFlaw | null
  openedBy: { kind: ActorKind; name: string }
  occurredAt: string | null
  measureAvailableAt: string | null
  memberStates: string[]
  cycle: number
  timeZone: string
  regimes: RegimeOnIncident[]
  /** Regimes of the workspace that may apply, too: they were neither switched on nor off. */
  suggestedRegimes: SuggestedRegime[]
  reports: ReportSummary[]
  affected: AffectedRow[]
  affectedTotal: number
  determinations: DeterminationRow[]
  awareness: AwarenessRow[]
  submissions: SubmissionRow[]
  tasks: IncidentTask[]
  related: RelatedIncident[]
  /** Uploaded documents whose word is in force on what is affected; it ends no clock. */
  vexDocuments: { id: string; name: string; verdict: Verdict }[]
  advisories: LinkedAdvisory[]
  /** Reports from outside that belong to it; none to those who do not see the inbox. */
  inboxReports: { number: number; state: InboxReportState }[]
  usersInformed: Informed | null
  maintainerInformed: Informed | null
  /** What the asking member may do about the pending determination, by scope, and the pending change of awareness. */
  approvals: { cra: Approval | null; dora: Approval | null; awareness: Approval | null }
  blockers: CloseBlocker[]
  closedAt: string | null
  closedBy: string | null
  closeReason: string | null
  /** Since when it is given to nobody; null: somebody has it, or it is closed. */
  untakenSince: string | null
}

/** Whom to report to. */
export type Authority = { name: string; portal: string | null; phone: string | null }

/**
 * Reports under the CRA go to one platform, whoever files them (Art. 16(1)): it is the default of its authority, and its address is shown where
 * an authority was stored without one.
 */
export const reportingPlatform: Authority = {
  name: 'ENISA Single Reporting Platform',
  portal: 'https://portal.cra-srp.enisa.europa.eu',
  phone: null,
}

/** Whom the reports of a regime go to; null: it is not entered. */
export function authorityOf(
  regime: Regime,
  authorities: Partial<Record<Regime, Authority>>,
): Authority | null {
  const stored = authorities[regime]
  if (regime !== 'cra') return stored ?? null
  return stored === undefined
    ? reportingPlatform
    : { ...stored, portal: stored.portal ?? reportingPlatform.portal }
}

/** What must be ready before a report is due and only the company knows of. */
export const preparations = ['account', 'representative', 'backups'] as const
export type Preparation = (typeof preparations)[number]

/** The day on which a member last saw that it is ready. */
export type Confirmed = Partial<Record<Preparation, string>>

export type RegimeSettings = {
  cra: boolean
  digitalsikkerhetsloven: boolean
  gdpr: boolean
  dora: boolean
  /** Country of the main establishment, ISO 3166-1. */
  mainEstablishment: string | null
  authorities: Partial<Record<Regime, Authority>>
  confirmed: Confirmed
  /** What the company says of itself in every report under DORA. */
  doraFacts: DoraFacts
}

/** The draft of a report, saved or made from what is known. */
export type ReportDraftDetail = {
  reportId: string
  regime: Regime
  report: ReportStage
  cycle: number
  /** The state of the authority's form that it is written for: `form.version`. */
  fieldsVersion: string
  form: DraftForm
  values: DraftValues
  /** What is missing or wrong in it. It keeps nobody from filing. */
  problems: DraftProblem[]
  /** 0: it has not been saved. */
  revision: number
  savedAt: string | null
  savedBy: string | null
  /** Other incidents on the same vulnerability with a saved draft of this report. */
  siblings: { incidentId: string; reference: IncidentReference; families: string[] }[]
  /** What is kept for its fields with the product and the company, now. */
  kept: KeptValue[]
}

/** What became of an act on several incidents: those it was done on, and those it was refused on, by name. */
export type BulkResult = {
  done: string[]
  refused: { id: string; reference: IncidentReference; reason: string }[]
}
