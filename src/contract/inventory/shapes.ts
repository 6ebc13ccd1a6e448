import type { Page } from '../page.ts'
import type { Catalogue, Grade } from '../findings/shapes.ts'
import type { ShownDecidability } from '../identity.ts'
import type { Severity, ShownCoverage } from '../sbom/shapes.ts'

/** Where a component is used: one active SBOM that has it. */
export type ComponentUse = {
  group: string | null
  name: string
  version: string | null
  purl: string | null
  licence: string | null
  family: { id: string; name: string }
  productVersion: string | null
  sbomId: string
  /** Of the component in its family. */
  number: number
  /** Open findings of this product version on this component. */
  findings: number
  /** Whether vulnerability data decide about it: without findings it is clean only where they do. */
  decidability: ShownDecidability
}

/** `total` counts the beginning of a long list only; `isLowerBound` says so. */
export type ComponentUsePage = Page<ComponentUse> & { isLowerBound: boolean }

/**
 * A day on which the open findings of a family became more or less, in the workspace's time zone. What is declared not affected or fixed is
 * not open on the days on which that verdict was in force.
 */
export type FamilyHistoryDay = {
  /** `2026-01-31` */
  day: string
  opened: number
  /** A verdict that declared it not affected or fixed is no longer in force. */
  reopened: number
  /** The component or the record is gone. */
  closed: number
  /** Declared not affected or fixed. */
  settled: number
  /** Open findings at the end of the day. */
  open: number
}

/** Over the active SBOMs of the families that are not archived; a component counts once for every SBOM that has it. */
export type WorkspaceCoverage = {
  coverage: ShownCoverage
  sboms: number
  /** Whether records of vulnerabilities and a catalogue of exploited ones are loaded at all, and which sources are switched off. */
  data: { records: boolean; catalogues: boolean; switchedOff: string[] }
  /** Why components are not covered, the most frequent first; at most 50. */
  reasons: {
    state: keyof ShownCoverage
    ecosystem: string | null
    reason: string | null
    components: number
  }[]
}

export type ComparedSbom = {
  id: string
  family: { id: string; name: string }
  version: string | null
  receivedAt: string
  components: number
}

/** `changed`: the same type, group and name in another version; `from` and `to` are the versions. */
export type ComponentChange = {
  change: 'added' | 'removed' | 'changed'
  type: string | null
  group: string | null
  name: string
  from: string | null
  to: string | null
  purl: string | null
}

/** A vulnerability of the components of one of the two SBOMs only, as the vulnerability data says today. */
export type FindingChange = {
  change: 'added' | 'removed'
  title: string
  summary: string
  severity: Severity
  score: number | null
  exploitedBy: Catalogue[]
  grade: Grade
  /** One of the components that have it. */
  component: { name: string; version: string | null }
}

/** From `before` to `after`: counts of everything, and at most 1 000 rows of each kind. */
export type SbomComparison = {
  before: ComparedSbom
  after: ComparedSbom
  components: { added: number; removed: number; changed: number; rows: ComponentChange[] }
  findings: { added: number; removed: number; kept: number; rows: FindingChange[] }
}

/** What the search of the whole workspace finds; `label` is shown, `detail` says more. */
export type SearchHit =
  | { kind: 'family'; id: string; label: string; detail: string }
  | { kind: 'vulnerability'; id: string; label: string; detail: string }
  | { kind: 'component'; search: string; label: string; detail: string }
  | { kind: 'sbom'; id: string; label: string; detail: string }
  | { kind: 'incident'; id: string; label: string; detail: string }
  | { kind: 'advisory'; id: string; label: string; detail: string }
  | { kind: 'report'; number: number; label: string; detail: string }
