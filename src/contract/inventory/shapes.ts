import { Type, type Static } from 'typebox'
import { Page } from '../page.ts'
import { ShownCoverage } from '../sbom/shapes.ts'
import { nullable, time, Named, extended } from '../schema.ts'
import { shownDecidabilities, undecidedStates } from '../identity.ts'
import { severities } from '../severities.ts'
import { catalogues, grades } from '../findings/shapes.ts'

/** Where a component is used: one active SBOM that has it. */
export const ComponentUse = Type.Object({
  group: nullable(Type.String()),
  name: Type.String(),
  version: nullable(Type.String()),
  purl: nullable(Type.String()),
  licence: nullable(Type.String()),
  family: Named,
  productVersion: nullable(Type.String()),
  sbomId: Type.String(),
  /** Of the component in its family. */
  number: Type.Number(),
  /** Open findings of this product version on this component. */
  findings: Type.Number(),
  /** Whether vulnerability data decide about it: without findings it is clean only where they do. */
  decidability: Type.Enum(shownDecidabilities),
})
export type ComponentUse = Static<typeof ComponentUse>

/** `total` counts the beginning of a long list only; `isLowerBound` says so. */
export const ComponentUsePage = extended(Page(ComponentUse), { isLowerBound: Type.Boolean() })
export type ComponentUsePage = Static<typeof ComponentUsePage>

/**
 * A day on which the open findings of a family became more or less, in the workspace's time zone. What is declared not affected or fixed is
 * not open on the days on which that verdict was in force.
 */
export const FamilyHistoryDay = Type.Object({
  /** `2026-01-31` */
  day: Type.String(),
  opened: Type.Number(),
  /** A verdict that declared it not affected or fixed is no longer in force. */
  reopened: Type.Number(),
  /** The component or the record is gone. */
  closed: Type.Number(),
  /** Declared not affected or fixed. */
  settled: Type.Number(),
  /** Open findings at the end of the day. */
  open: Type.Number(),
})
export type FamilyHistoryDay = Static<typeof FamilyHistoryDay>

/** Components of an ecosystem that are no longer covered; `state`: what most of them are now. */
export const LostCoverage = Type.Object({
  ecosystem: nullable(Type.String()),
  state: Type.Enum(undecidedStates),
  components: Type.Number(),
})
export type LostCoverage = Static<typeof LostCoverage>

/** Over the active SBOMs of the families that are not archived; a component counts once for every SBOM that has it. */
export const WorkspaceCoverage = Type.Object({
  coverage: ShownCoverage,
  sboms: Type.Number(),
  /** Whether records of vulnerabilities and a catalogue of exploited ones are loaded at all, and which sources are switched off. */
  data: Type.Object({
    records: Type.Boolean(),
    catalogues: Type.Boolean(),
    switchedOff: Type.Array(Type.String()),
  }),
  /** Why components are not covered, the most frequent first; at most 50. */
  reasons: Type.Array(
    Type.Object({
      state: Type.KeyOf(ShownCoverage),
      ecosystem: nullable(Type.String()),
      reason: nullable(Type.String()),
      components: Type.Number(),
    }),
  ),
  /** What was covered on a day of the last week and is not any more, the most components first; null while nothing was counted in it. */
  lost: nullable(
    Type.Object({
      /** `2026-01-31` */
      since: Type.String(),
      ecosystems: Type.Array(LostCoverage),
    }),
  ),
})
export type WorkspaceCoverage = Static<typeof WorkspaceCoverage>

export const ComparedSbom = Type.Object({
  id: Type.String(),
  family: Named,
  version: nullable(Type.String()),
  receivedAt: time,
  components: Type.Number(),
})
export type ComparedSbom = Static<typeof ComparedSbom>

/** `changed`: the same type, group and name in another version; `from` and `to` are the versions. */
export const ComponentChange = Type.Object({
  change: Type.Enum(['added', 'removed', 'changed']),
  type: nullable(Type.String()),
  group: nullable(Type.String()),
  name: Type.String(),
  from: nullable(Type.String()),
  to: nullable(Type.String()),
  purl: nullable(Type.String()),
})
export type ComponentChange = Static<typeof ComponentChange>

/** A vulnerability of the components of one of the two SBOMs only, as the vulnerability data says today. */
export const FindingChange = Type.Object({
  change: Type.Enum(['added', 'removed']),
  title: Type.String(),
  summary: Type.String(),
  severity: Type.Enum(severities),
  score: nullable(Type.Number()),
  exploitedBy: Type.Array(Type.Enum(catalogues)),
  grade: Type.Enum(grades),
  /** One of the components that have it. */
  component: Type.Object({ name: Type.String(), version: nullable(Type.String()) }),
})
export type FindingChange = Static<typeof FindingChange>

/** From `before` to `after`: counts of everything, and at most 1 000 rows of each kind. */
export const SbomComparison = Type.Object({
  before: ComparedSbom,
  after: ComparedSbom,
  components: Type.Object({
    added: Type.Number(),
    removed: Type.Number(),
    changed: Type.Number(),
    rows: Type.Array(ComponentChange),
  }),
  findings: Type.Object({
    added: Type.Number(),
    removed: Type.Number(),
    kept: Type.Number(),
    rows: Type.Array(FindingChange),
  }),
})
export type SbomComparison = Static<typeof SbomComparison>

/** What the search of the whole workspace finds; `label` is shown, `detail` says more. */
export const SearchHit = Type.Union([
  Type.Object({
    kind: Type.Literal('family'),
    id: Type.String(),
    label: Type.String(),
    detail: Type.String(),
  }),
  Type.Object({
    kind: Type.Literal('vulnerability'),
    id: Type.String(),
    label: Type.String(),
    detail: Type.String(),
  }),
  Type.Object({
    kind: Type.Literal('component'),
    search: Type.String(),
    label: Type.String(),
    detail: Type.String(),
  }),
  Type.Object({ kind: Type.Literal('sbom'), id: Type.String(), label: Type.String(), detail: Type.String() }),
  Type.Object({
    kind: Type.Literal('incident'),
    id: Type.String(),
    label: Type.String(),
    detail: Type.String(),
  }),
  Type.Object({
    kind: Type.Literal('advisory'),
    id: Type.String(),
    label: Type.String(),
    detail: Type.String(),
  }),
  Type.Object({
    kind: Type.Literal('report'),
    number: Type.Number(),
    label: Type.String(),
    detail: Type.String(),
  }),
])
export type SearchHit = Static<typeof SearchHit>
