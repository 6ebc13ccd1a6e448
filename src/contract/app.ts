/** What the operations of the application's own interface answer (contract/operations). */
import type { Role } from './roles.ts'
import type { AnyUploadSource, SbomFormat, SbomStatus, Severity, ShownCoverage } from './sbom/sbom.ts'
import type { SourceBrings, SourceOutcome, SourceState } from './sources.ts'
import type { TokenKind, TokenStatus } from './tokens.ts'
import type { Plan, WorkspaceState } from './plans.ts'
import type { VulnerabilityRow } from './vulnerability.ts'
import type { ShownDecidability } from './identity.ts'

/** Pages hold up to 100 rows; `nextCursor` is opaque and null on the last page. */
export type Page<T> = { rows: T[]; nextCursor: string | null; total: number }

export type Session = {
  /** `timeZone`: by whose clock they see times; null: the workspace's. */
  person: { id: string; name: string; email: string; timeZone: string | null }
  workspaces: { slug: string; companyName: string; role: Role; state: WorkspaceState }[]
  /** The workspace whose company opened the session with its own sign-in, and which is its only one; null: the person's own way in. */
  openedBy: string | null
}

/** `open` while the installation has no member yet and the link is the newest one. */
export type SetupState = { open: boolean }

/** A browser that a person is signed in with. */
export type SessionRow = {
  id: string
  startedAt: string
  lastUsedAt: string
  /** Where the person signed in from; null: not recorded. */
  address: string | null
  /** The one that asks. */
  isThis: boolean
}

export type WorkspaceDetail = {
  id: string
  slug: string
  companyName: string
  timeZone: string
  plan: Plan
  state: WorkspaceState
  trialEndsAt: string | null
  /** When the subscription ends; null: it renews itself or has no end. */
  paidUntil: string | null
  /** Owners buy and change plans themselves; else the operator sets them. */
  isSelfService: boolean
  role: Role
  /** Deliveries that failed in the last day, as Delivery problems lists them; null for roles that may not see them. */
  recentProblems: number | null
  /** Address of the public interface, for ready-made commands. */
  baseUrl: string
}

export type SeverityCounts = Record<Severity, number>

/**
 * Open findings by their effective verdict: those declared not affected or fixed are counted there and nowhere else. `exploited`
 * are counted in their severity as well.
 */
export type FindingCounts = {
  /** Findings: one for every vulnerability of every component in every version that is counted over. */
  total: number
  /** The distinct vulnerabilities among them. */
  vulnerabilities: number
  exploited: number
  bySeverity: SeverityCounts
  notAffected: number
  fixed: number
}

/**
 * How many components of the active SBOMs data loaded whole can decide about; where none, the absence of findings says nothing. A component
 * counts once for every SBOM that has it.
 */
export type Judged = { covered: number; components: number }

export type FamilyRow = {
  id: string
  name: string
  createdAt: string
  archivedAt: string | null
  activeVersions: number
  activeSboms: number
  lastUploadAt: string | null
  judged: Judged
  findings: FindingCounts
}

export const familySorts = [
  'name',
  '-name',
  'upload',
  '-upload',
  'exploited',
  'findings',
  'severity',
] as const
/** Names and uploads in both directions, counts the highest first. */
export type FamilySort = (typeof familySorts)[number]

/** `total` fit the search, of `all` in use or archived. */
export type FamilyPage = Page<FamilyRow> & { all: number }

/** What other pages choose a family by. */
export type FamilyName = Pick<FamilyRow, 'id' | 'name' | 'lastUploadAt'>

export type VersionRow = {
  /** null: the slot of SBOMs that name no version */
  id: string | null
  name: string | null
  retiredAt: string | null
  isCurrent: boolean
  activeSbom: SbomRow | null
  /** Of its active SBOM. */
  judged: Judged
  findings: FindingCounts
}

export type FamilyDetail = {
  id: string
  name: string
  createdAt: string
  archivedAt: string | null
  versions: VersionRow[]
  judged: Judged
  findings: FindingCounts
}

export type SbomRow = {
  id: string
  status: SbomStatus
  /** Active of its version, and the version is not retired. */
  active: boolean
  version: string | null
  format: SbomFormat
  specVersion: string
  components: number
  source: AnyUploadSource
  sentBy: string
  receivedAt: string
}

export type SbomDetail = SbomRow & {
  family: { id: string; name: string; archivedAt: string | null }
  versionId: string | null
  documentName: string | null
  documentCreatedAt: string | null
  tools: string[]
  operatingSystem: { name: string; version: string | null } | null
  sizeBytes: number
  sha256: string
  matchedAt: string | null
  failure: string | null
  pipeline: { commit: string | null; branch: string | null; repository: string | null; runUrl: string | null }
  /** The SBOM that took this one's place, and the one this one replaced. */
  replacedBy: SbomReference | null
  replaces: SbomReference | null
  /** What its changes are told from: the active SBOM of the version that arrived before its own, else the SBOM it replaced. */
  previous: SbomReference | null
  hints: { code: string; message: string; pointer: string | null; count: number }[]
  coverage: ShownCoverage
  leftToDistribution: LeftToDistribution
  findings: FindingCounts
  grades: { exact: number; possible: number }
}

/** Findings on components that a package of the distribution installed, where its version counts as not affected there. */
export type LeftToDistribution = {
  /** All of them; `rows` are the first hundred. */
  total: number
  rows: {
    title: string
    component: { name: string; version: string | null }
    /** The package that installed it. */
    package: { name: string; version: string | null }
  }[]
}

export type SbomReference = { id: string; version: string | null; receivedAt: string }

export const componentSorts = ['name', '-name', 'findings'] as const
export type ComponentSort = (typeof componentSorts)[number]

export type ComponentRow = {
  number: number
  type: string | null
  group: string | null
  name: string
  version: string | null
  purl: string | null
  cpe: string | null
  licence: string | null
  supplier: string | null
  decidability: ShownDecidability
  /** Why the component could not be decided. */
  reason: string | null
  /** Open ones that are not declared not affected or fixed. */
  findings: number
}

/**
 * `total` counts distinct vulnerabilities. `hidden`: those that all other filters would show, but none of whose findings has the
 * verdict asked for; `findings`: the findings of the total.
 */
export type VulnerabilityPage = Page<VulnerabilityRow> & { hidden: number; findings: number }

export type TokenRow = {
  id: string
  kind: TokenKind
  name: string
  family: { id: string; name: string } | null
  prefix: string
  createdAt: string
  createdBy: string | null
  /** Who created it is no member any more. */
  creatorRemoved: boolean
  lastUsedAt: string | null
  expiresAt: string | null
  status: TokenStatus
}

/** `secret` is shown once; only its hash is stored. */
export type CreatedToken = { id: string; secret: string }

/**
 * Sources that are shared by all workspaces, and of those in parts what this workspace uses. `switchedOff`: labels of the sources that the
 * configuration turns off.
 */
export type SourceList = { sources: SourceRow[]; switchedOff: string[] }

export type SourceRow = {
  name: string
  /** Words for people: "OSV: PyPI", "CISA KEV". */
  label: string
  records: number
  state: SourceState
  /** What it is for: `records` findings come from, which of them are `exploited`, or `more` about them. */
  brings: SourceBrings
  lastSuccessAt: string | null
  lastAttemptAt: string | null
  /** How the last attempt ended; null before the first, and while one is under way. */
  lastOutcome: SourceOutcome | null
  /** Why the last attempt failed. */
  lastError: string | null
  /** Since when attempts have failed; null where it is not known, and while they do not. */
  failingSince: string | null
}
