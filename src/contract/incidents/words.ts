import { determinations } from '../alerts/events.ts'

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

/** As people see it: the stored state and what time makes of it. */
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

export const determinationScopes = ['cra', 'dora'] as const satisfies (keyof typeof determinations)[]
export type DeterminationScope = (typeof determinationScopes)[number]
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

/** `superseded`: it waited when an earlier time took effect. */
export const awarenessStates = [
  'in_force',
  'pending',
  'approved',
  'rejected',
  'withdrawn',
  'superseded',
] as const
export type AwarenessState = (typeof awarenessStates)[number]

/** `update`: a further report on the same stage, such as an updated intermediate report. `amendment`: a correction of what was filed. */
export const submissionKinds = ['submission', 'update', 'amendment'] as const
export type SubmissionKind = (typeof submissionKinds)[number]

/** What happened on an incident, in order. */
export const entryKinds = [
  'opened',
  'follow_up',
  'linked',
  'affected_added',
  'left_sbom',
  'back_in_sbom',
  'unnamed',
  'named_again',
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

/** Why an incident cannot be closed yet. */
export const closeBlockers = [
  'determination_missing',
  'determination_pending',
  'awareness_pending',
  'reports_open',
] as const
export type CloseBlocker = (typeof closeBlockers)[number]

/** Regimes that a member switches on: of a personal data breach, and of an effect on a covered service. */
export const suggestedRegimes = ['gdpr', 'digitalsikkerhetsloven'] as const
export type SuggestedRegime = (typeof suggestedRegimes)[number]
