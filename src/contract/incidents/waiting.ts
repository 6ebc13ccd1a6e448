import type { InboxWaiting } from '../disclosure/shapes.ts'
import type { Regime } from '../alerts/events.ts'
import type { Catalogue } from '../findings/shapes.ts'
import type { Confirmed, DeterminationValue, ReportSummary } from './shapes.ts'
import type { Severity } from '../sbom/shapes.ts'
import type { IncidentReference } from './reference.ts'

/** An exploited exact match that an uploaded document's verdict keeps from opening an incident. */
export type SuppressedRow = {
  id: string
  vulnKey: string
  family: { id: string; name: string }
  version: string | null
  component: { name: string; version: string | null }
  verdict: string
  documentId: string
  since: string
}

/** Open incidents, overdue reports and what waits for whoever asks. */
export type IncidentCounts = { open: number; overdue: number; dueSoon: number; waitingForMe: number }

/** A report with its deadline. */
export type Deadline = ReportSummary & {
  incident: { id: string; reference: IncidentReference; title: string; isExercise: boolean }
  families: string[]
}

/** The same report of every open incident on one vulnerability: of them the one that is due first. */
export type DeadlineGroup = Deadline & {
  /** null: it is about no vulnerability, and about one incident. */
  vulnKey: string | null
  /** In how many incidents it is to be filed. */
  incidents: number
}

/** The same report of another open incident on the vulnerability, and its draft. */
export type SameReport = ReportSummary & {
  incident: { id: string; reference: IncidentReference }
  families: string[]
  /** Of its draft; 0: none is saved. */
  revision: number
  savedAt: string | null
  savedBy: string | null
}

/** What waits for a second person. */
export type WaitingApproval = {
  incident: { id: string; reference: IncidentReference; title: string }
  /** null: a change of awareness, or a regime that is to be switched off. */
  determination: { id: string; value: DeterminationValue } | null
  recordedBy: string
  recordedAt: string
  /** Whoever asks may decide it. */
  isMine: boolean
}

/** What needs doing, the most urgent first. Drills are left out. */
export type IncidentOverview = {
  /** At most 20, those of one vulnerability, regime and stage together; `deadlinesTotal` counts them likewise. */
  deadlines: DeadlineGroup[]
  deadlinesTotal: number
  approvals: WaitingApproval[]
  approvalsTotal: number
  openIncidents: number
  /** Exploited exact matches held back by uploaded documents. */
  suppressed: number
  /** Possible matches of exploited vulnerabilities that are not judged yet. */
  toReview: number
  /** Reports in the inbox that wait for an answer; none to those who do not see it. */
  inbox: InboxWaiting
  /** Positive determinations whose users are not informed yet. */
  usersNotInformed: number
  /** Members who may approve. One of them alone cannot approve what they recorded. */
  approvers: number
  /** The last drill; null: there was none. */
  lastDrillAt: string | null
  /** Alert destinations that are switched on. */
  destinations: number
  /** Regimes in force without a stored authority. */
  regimesWithoutAuthority: Regime[]
  /** The Cyber Resilience Act, whose reports go to ENISA's platform, is in force. */
  reportsUnderCra: boolean
  confirmed: Confirmed
}

/** An exploited vulnerability that may be in a product, and why it is not sure. */
export type ReviewRow = {
  findingId: string
  vulnerability: string
  summary: string
  severity: Severity
  listedBy: Catalogue[]
  family: { id: string; name: string }
  version: string | null
  component: { name: string; version: string | null; purl: string | null }
  firstSeenAt: string
  dismissed: { by: string; at: string; reason: string } | null
}
