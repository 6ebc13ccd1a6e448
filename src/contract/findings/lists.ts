import { Type, type Static } from 'typebox'
import { Page } from '../page.ts'
import { Epss } from '../vulnerabilities/shapes.ts'
import { DependencyStep } from '../dependencies/shapes.ts'
import { nullable, time, extended } from '../schema.ts'
import { componentScopes } from '../sbom/shapes.ts'
import { severities } from '../severities.ts'
import { catalogues, grades, recordClasses } from './shapes.ts'
import { verdicts } from '../vex/shapes.ts'
import { verdictSources } from './verdict.ts'

export const findingSorts = ['urgency', 'severity', 'component', 'title', 'newest', 'epss'] as const
/** `urgency`: malware first, then exploited ones, then by severity, then by EPSS. `severity`: malware is above every one. */
export type FindingSort = (typeof findingSorts)[number]

export const FindingRow = Type.Object({
  id: Type.String(),
  title: Type.String(),
  summary: Type.String(),
  severity: Type.Enum(severities),
  score: nullable(Type.Number()),
  /** The highest among the CVEs of the vulnerability; null when none is scored. */
  epss: nullable(Epss),
  exploitedBy: Type.Array(Type.Enum(catalogues)),
  grade: Type.Enum(grades),
  class: Type.Enum(recordClasses),
  /** The effective one; null: it has not been judged. */
  verdict: nullable(Type.Enum(verdicts)),
  verdictSource: nullable(Type.Enum(verdictSources)),
  component: Type.Object({
    name: Type.String(),
    version: nullable(Type.String()),
    purl: nullable(Type.String()),
    /** The widest of those it is about; null: the document does not say. */
    scope: nullable(Type.Enum(componentScopes)),
  }),
  /**
   * The dependency of the product through which the component comes in, on a shortest way: the component itself where it is one. Null: the
   * document does not say.
   */
  directDependency: nullable(DependencyStep),
  /** How many components of the SBOM it is about: the same version of a package may be in it several times. */
  occurrences: Type.Number(),
  /** The lowest version that the records call fixed; null when none names one. */
  fixedIn: nullable(Type.String()),
  /** Further versions that the records call fixed, the lowest first. */
  otherFixes: Type.Array(Type.String()),
  firstSeenAt: time,
})
export type FindingRow = Static<typeof FindingRow>

/**
 * `total` counts findings. `hidden`: findings that all other filters would show, but whose verdict the filter leaves out;
 * `exploited`: of the total, known to be exploited; `vulnerabilities`: the distinct ones among the total;
 * `through`: the component that the filter of this name means.
 */
export const FindingPage = extended(Page(FindingRow), {
  hidden: Type.Number(),
  exploited: Type.Number(),
  vulnerabilities: Type.Number(),
  through: nullable(DependencyStep),
})
export type FindingPage = Static<typeof FindingPage>

/** Findings to be judged at once: as many of a query as one act may hold, and which of them are known to be exploited. */
export const FindingIds = Type.Object({
  ids: Type.Array(Type.String()),
  exploited: Type.Array(Type.String()),
})
export type FindingIds = Static<typeof FindingIds>
