import { Type, type Static } from 'typebox'
import { IncidentReference } from './reference.ts'
import { regimes, reportStages } from '../alerts/events.ts'
import { Authority } from './regimes.ts'
import { IncidentFlaw } from './flaw.ts'
import { KeptValue } from './kept-values.ts'
import { DraftForm, DraftProblem, DraftValues } from './report-drafts.ts'
import { nullable, time, Named, extended } from '../schema.ts'
import { catalogues } from '../findings/shapes.ts'
import { severities } from '../severities.ts'
import { actorKinds } from '../roles.ts'
import { verdicts } from '../vex/shapes.ts'
import {
  incidentKinds,
  incidentSources,
  incidentStatuses,
  reportStatuses,
  notRequiredReasons,
  determinationStates,
  determinationValues,
  determinationScopes,
  awarenessStates,
  submissionKinds,
  entryKinds,
  closeBlockers,
  suggestedRegimes,
} from './words.ts'
import { reportStates as inboxReportStates } from '../disclosure/shapes.ts'

/** One line of an incident's timeline. `data`: by kind, words and ids for people; the page makes sentences of it. */
export const IncidentEntry = Type.Object({
  id: Type.String(),
  at: time,
  kind: Type.Enum(entryKinds),
  actor: Type.Object({ kind: Type.Enum(actorKinds), name: Type.String() }),
  data: Type.Record(Type.String(), Type.Unknown()),
})
export type IncidentEntry = Static<typeof IncidentEntry>

export const ReportSummary = Type.Object({
  id: Type.String(),
  regime: Type.Enum(regimes),
  report: Type.Enum(reportStages),
  cycle: Type.Number(),
  status: Type.Enum(reportStatuses),
  /** null: the event that its time is counted from has not happened yet. */
  dueAt: nullable(time),
  submittedAt: nullable(time),
  reason: nullable(Type.Enum(notRequiredReasons)),
})
export type ReportSummary = Static<typeof ReportSummary>

export const IncidentRow = Type.Object({
  id: Type.String(),
  reference: IncidentReference,
  kind: Type.Enum(incidentKinds),
  title: Type.String(),
  families: Type.Array(Named),
  vulnKey: nullable(Type.String()),
  /** Ids of the incidents under another id whose vulnerability turned out to be the same. */
  sameAs: Type.Array(Type.String()),
  source: Type.Enum(incidentSources),
  listedBy: Type.Array(Type.Enum(catalogues)),
  severity: Type.Enum(severities),
  isExercise: Type.Boolean(),
  status: Type.Enum(incidentStatuses),
  openedAt: time,
  awareAt: time,
  /** Of the open report that is due next, overdue ones first. */
  next: nullable(ReportSummary),
  overdue: Type.Number(),
  /** The newest of the CRA scope. */
  determination: nullable(
    Type.Object({
      value: Type.Enum(determinationValues),
      state: Type.Enum(determinationStates),
      recordedBy: Type.String(),
    }),
  ),
  assignee: nullable(Named),
})
export type IncidentRow = Static<typeof IncidentRow>

export const AffectedRow = Type.Object({
  familyId: Type.String(),
  family: Type.String(),
  /** null: a product without version. */
  version: nullable(Type.String()),
  component: Type.Object({
    name: Type.String(),
    version: nullable(Type.String()),
    purl: nullable(Type.String()),
  }),
  listedBy: Type.Array(Type.Enum(catalogues)),
  addedAt: time,
  /** Of the finding, while it is there. */
  findingId: nullable(Type.String()),
  /** The finding is still open. */
  isPresent: Type.Boolean(),
  /** It is not, because no record names the component any more: rejected, withdrawn or corrected. */
  isUnnamed: Type.Boolean(),
})
export type AffectedRow = Static<typeof AffectedRow>

/** What may have waited for a second person: who recorded it, and who decided it. */
export const RecordedDecision = Type.Object({
  recordedBy: Named,
  recordedAt: time,
  decidedBy: nullable(Type.String()),
  decidedAt: nullable(time),
  comment: nullable(Type.String()),
  /** Approved by an owner because there was no second person. */
  selfApproved: Type.Boolean(),
})
export type RecordedDecision = Static<typeof RecordedDecision>

export const DeterminationRow = extended(RecordedDecision, {
  id: Type.String(),
  scope: Type.Enum(determinationScopes),
  value: Type.Enum(determinationValues),
  state: Type.Enum(determinationStates),
  cycle: Type.Number(),
  reasoning: Type.String(),
  evidence: Type.Array(Type.String()),
  approvers: Type.Number(),
})
export type DeterminationRow = Static<typeof DeterminationRow>

export const AwarenessRow = extended(RecordedDecision, {
  id: Type.String(),
  /** The regime that is to be switched off, which waits for a second person as well; null: it is a change of awareness. */
  regime: nullable(Type.Enum(regimes)),
  from: Type.String(),
  to: Type.String(),
  reason: Type.String(),
  state: Type.Enum(awarenessStates),
})
export type AwarenessRow = Static<typeof AwarenessRow>

export const SubmissionRow = Type.Object({
  id: Type.String(),
  reportId: Type.String(),
  regime: Type.Enum(regimes),
  report: Type.Enum(reportStages),
  cycle: Type.Number(),
  kind: Type.Enum(submissionKinds),
  submittedAt: time,
  /** As it was before a typing error was corrected. */
  firstSubmittedAt: nullable(time),
  recordedAt: time,
  recordedBy: Type.String(),
  channel: Type.String(),
  authority: nullable(Type.String()),
  reference: nullable(Type.String()),
  delayReason: nullable(Type.String()),
  receiptName: nullable(Type.String()),
  hasDraft: Type.Boolean(),
  /** Filed while a determination waited for approval. */
  beforeApproval: Type.Boolean(),
})
export type SubmissionRow = Static<typeof SubmissionRow>

export const RegimeOnIncident = Type.Object({
  regime: Type.Enum(regimes),
  isActive: Type.Boolean(),
  awareAt: time,
  /** Other than that of the incident. */
  hasOwnAwareness: Type.Boolean(),
  classifiedAt: nullable(time),
  reason: nullable(Type.String()),
  authority: nullable(Authority),
})
export type RegimeOnIncident = Static<typeof RegimeOnIncident>

export const IncidentTask = Type.Object({
  id: Type.String(),
  title: Type.String(),
  dueAt: nullable(time),
  createdAt: time,
  createdBy: Type.String(),
  doneAt: nullable(time),
  doneBy: nullable(Type.String()),
})
export type IncidentTask = Static<typeof IncidentTask>

/** Another incident, and why it is related. */
export const RelatedIncident = Type.Object({
  id: Type.String(),
  reference: IncidentReference,
  title: Type.String(),
  status: Type.Enum(incidentStatuses),
  relation: Type.Enum(['same_vulnerability', 'follows', 'followed_by']),
})
export type RelatedIncident = Static<typeof RelatedIncident>

export const Informed = Type.Object({ at: time, by: Type.String(), how: Type.String() })
export type Informed = Static<typeof Informed>

/** Who may decide what is pending, from the asking person's point of view. */
export const Approval = Type.Object({
  /** May decide it now. */
  allowed: Type.Boolean(),
  /** Why not; null when it is allowed. */
  refusal: nullable(Type.String()),
  /** An owner may approve without a second person, because there is none. */
  override: Type.Boolean(),
})
export type Approval = Static<typeof Approval>

/** `number`: of the version in force; null: nothing is published yet. */
export const LinkedAdvisory = Type.Object({
  id: Type.String(),
  trackingId: Type.String(),
  number: nullable(Type.String()),
})
export type LinkedAdvisory = Static<typeof LinkedAdvisory>

export const IncidentDetail = extended(Type.Omit(IncidentRow, ['next', 'sameAs']), {
  aliases: Type.Array(Type.String()),
  /** null: it is about no vulnerability. */
  flaw: nullable(IncidentFlaw),
  openedBy: Type.Object({ kind: Type.Enum(actorKinds), name: Type.String() }),
  occurredAt: nullable(time),
  measureAvailableAt: nullable(time),
  memberStates: Type.Array(Type.String()),
  cycle: Type.Number(),
  timeZone: Type.String(),
  regimes: Type.Array(RegimeOnIncident),
  /** Further regimes of the workspace that may apply: they were neither switched on nor off. */
  suggestedRegimes: Type.Array(Type.Enum(suggestedRegimes)),
  reports: Type.Array(ReportSummary),
  affected: Type.Array(AffectedRow),
  affectedTotal: Type.Number(),
  /** In which scopes one can be recorded: in that of DORA only where the workspace reports under it, or the incident was classified. */
  determinationScopes: Type.Array(Type.Enum(determinationScopes)),
  determinations: Type.Array(DeterminationRow),
  awareness: Type.Array(AwarenessRow),
  submissions: Type.Array(SubmissionRow),
  tasks: Type.Array(IncidentTask),
  related: Type.Array(RelatedIncident),
  /** Uploaded documents whose verdict is in force on what is affected; it ends no clock. */
  vexDocuments: Type.Array(
    Type.Object({ id: Type.String(), name: Type.String(), verdict: Type.Enum(verdicts) }),
  ),
  advisories: Type.Array(LinkedAdvisory),
  /** Reports from outside that belong to it; none to those who do not see the inbox. */
  inboxReports: Type.Array(Type.Object({ number: Type.Number(), state: Type.Enum(inboxReportStates) })),
  usersInformed: nullable(Informed),
  maintainerInformed: nullable(Informed),
  /** What the asking member may do about the pending determination, by scope, and the pending change of awareness. */
  approvals: Type.Object({
    cra: nullable(Approval),
    dora: nullable(Approval),
    awareness: nullable(Approval),
  }),
  blockers: Type.Array(Type.Enum(closeBlockers)),
  closedAt: nullable(time),
  closedBy: nullable(Type.String()),
  closeReason: nullable(Type.String()),
  /** Since when nobody is assigned; null: somebody is, or it is closed. */
  untakenSince: nullable(Type.String()),
})
export type IncidentDetail = Static<typeof IncidentDetail>

/** The draft of a report, saved or made from what is known. */
export const ReportDraftDetail = Type.Object({
  reportId: Type.String(),
  regime: Type.Enum(regimes),
  report: Type.Enum(reportStages),
  cycle: Type.Number(),
  /** The state of the authority's form that it is written for: `form.version`. */
  fieldsVersion: Type.String(),
  form: DraftForm,
  values: DraftValues,
  /** What is missing or wrong in it. It stops nobody from filing. */
  problems: Type.Array(DraftProblem),
  /** 0: it has not been saved. */
  revision: Type.Number(),
  savedAt: nullable(time),
  savedBy: nullable(Type.String()),
  /** Other incidents on the same vulnerability with a saved draft of this report. */
  siblings: Type.Array(
    Type.Object({
      incidentId: Type.String(),
      reference: IncidentReference,
      families: Type.Array(Type.String()),
    }),
  ),
  /** What is kept for its fields with the product and the company, now. */
  kept: Type.Array(KeptValue),
})
export type ReportDraftDetail = Static<typeof ReportDraftDetail>
