import { Type, type Static } from 'typebox'
import { InboxWaiting } from '../disclosure/shapes.ts'
import { ReportSummary } from './shapes.ts'
import { determinationValues } from './words.ts'
import { Confirmed } from './regimes.ts'
import { IncidentReference } from './reference.ts'
import { nullable, time, Named, extended } from '../schema.ts'
import { regimes } from '../alerts/events.ts'
import { severities } from '../severities.ts'
import { catalogues } from '../findings/shapes.ts'

/** An exploited exact match that an uploaded document's verdict keeps from opening an incident. */
export const SuppressedRow = Type.Object({
  id: Type.String(),
  vulnKey: Type.String(),
  family: Named,
  version: nullable(Type.String()),
  component: Type.Object({ name: Type.String(), version: nullable(Type.String()) }),
  verdict: Type.String(),
  documentId: Type.String(),
  since: Type.String(),
})
export type SuppressedRow = Static<typeof SuppressedRow>

/** Open incidents, overdue reports and what waits for the asking person. */
export const IncidentCounts = Type.Object({
  open: Type.Number(),
  overdue: Type.Number(),
  dueSoon: Type.Number(),
  waitingForMe: Type.Number(),
})
export type IncidentCounts = Static<typeof IncidentCounts>

/** A report with its deadline. */
export const Deadline = extended(ReportSummary, {
  incident: Type.Object({
    id: Type.String(),
    reference: IncidentReference,
    title: Type.String(),
    isExercise: Type.Boolean(),
  }),
  families: Type.Array(Type.String()),
})
export type Deadline = Static<typeof Deadline>

/** The same report of every open incident on one vulnerability: of them the one that is due first. */
export const DeadlineGroup = extended(Deadline, {
  /** null: it is about no vulnerability, and about one incident. */
  vulnKey: nullable(Type.String()),
  /** In how many incidents it is to be filed. */
  incidents: Type.Number(),
})
export type DeadlineGroup = Static<typeof DeadlineGroup>

/** The same report of another open incident on the vulnerability, and its draft. */
export const SameReport = extended(ReportSummary, {
  incident: Type.Object({ id: Type.String(), reference: IncidentReference }),
  families: Type.Array(Type.String()),
  /** Of its draft; 0: none is saved. */
  revision: Type.Number(),
  savedAt: nullable(time),
  savedBy: nullable(Type.String()),
})
export type SameReport = Static<typeof SameReport>

/** What waits for a second person. */
export const WaitingApproval = Type.Object({
  incident: Type.Object({ id: Type.String(), reference: IncidentReference, title: Type.String() }),
  /** null: a change of awareness, or a regime that is to be switched off. */
  determination: nullable(Type.Object({ id: Type.String(), value: Type.Enum(determinationValues) })),
  recordedBy: Type.String(),
  recordedAt: time,
  /** The asking person may decide it. */
  isMine: Type.Boolean(),
})
export type WaitingApproval = Static<typeof WaitingApproval>

/** What needs doing, the most urgent first. Drills are left out. */
export const IncidentOverview = Type.Object({
  /** At most 20, those of one vulnerability, regime and stage together; `deadlinesTotal` counts them likewise. */
  deadlines: Type.Array(DeadlineGroup),
  deadlinesTotal: Type.Number(),
  approvals: Type.Array(WaitingApproval),
  approvalsTotal: Type.Number(),
  openIncidents: Type.Number(),
  /** Exploited exact matches held back by uploaded documents. */
  suppressed: Type.Number(),
  /** Possible matches of exploited vulnerabilities, and malware, that are not judged yet. */
  toReview: Type.Number(),
  /** Reports in the inbox that wait for an answer; none to those who do not see it. */
  inbox: InboxWaiting,
  /** Open incidents without an assignee. */
  untaken: Type.Number(),
  /** Positive determinations whose users are not informed yet. */
  usersNotInformed: Type.Number(),
  /** Members who may approve. A single one cannot approve what they recorded. */
  approvers: Type.Number(),
  /** The last drill; null: there was none. */
  lastDrillAt: nullable(time),
  /** Alert destinations that are switched on. */
  destinations: Type.Number(),
  /** Regimes in force without a stored authority. */
  regimesWithoutAuthority: Type.Array(Type.Enum(regimes)),
  /** The Cyber Resilience Act, whose reports go to ENISA's platform, is in force. */
  reportsUnderCra: Type.Boolean(),
  confirmed: Confirmed,
})
export type IncidentOverview = Static<typeof IncidentOverview>

/** An exploited vulnerability that may be in a product, or malware. */
export const ReviewRow = Type.Object({
  findingId: Type.String(),
  vulnerability: Type.String(),
  summary: Type.String(),
  /** The component itself is malicious. */
  malware: Type.Boolean(),
  severity: Type.Enum(severities),
  listedBy: Type.Array(Type.Enum(catalogues)),
  family: Named,
  version: nullable(Type.String()),
  component: Type.Object({
    name: Type.String(),
    version: nullable(Type.String()),
    purl: nullable(Type.String()),
  }),
  firstSeenAt: time,
  dismissed: nullable(Type.Object({ by: Type.String(), at: time, reason: Type.String() })),
})
export type ReviewRow = Static<typeof ReviewRow>
