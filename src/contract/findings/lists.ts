import type { Page } from '../page.ts'
import type { Catalogue, Grade, RecordClass } from './shapes.ts'
import type { Severity } from '../severities.ts'
import type { VerdictSource } from './verdict.ts'
import type { Verdict } from '../vex/shapes.ts'
import type { Epss } from '../vulnerabilities/shapes.ts'
import type { DependencyStep } from '../dependencies/shapes.ts'

export const findingSorts = ['urgency', 'severity', 'component', 'title', 'newest', 'epss'] as const
/** `urgency`: exploited ones first, then by severity, then by EPSS. */
export type FindingSort = (typeof findingSorts)[number]

export type FindingRow = {
  id: string
  title: string
  summary: string
  severity: Severity
  score: number | null
  /** The highest among the CVEs of the vulnerability; null when none is scored. */
  epss: Epss | null
  exploitedBy: Catalogue[]
  grade: Grade
  class: RecordClass
  /** The effective one; null: it has not been judged. */
  verdict: Verdict | null
  verdictSource: VerdictSource | null
  component: { name: string; version: string | null; purl: string | null }
  /**
   * The dependency of the product through which the component comes in, on a shortest way: the component itself where it is one. Null: the
   * document does not say.
   */
  directDependency: DependencyStep | null
  /** How many components of the SBOM it is about: the same version of a package may be in it several times. */
  occurrences: number
  /** The lowest version that the records call fixed; null when none names one. */
  fixedIn: string | null
  /** Further versions that the records call fixed, the lowest first. */
  otherFixes: string[]
  firstSeenAt: string
}

/**
 * `total` counts findings. `hidden`: findings that all other filters would show, but whose verdict the filter leaves out;
 * `exploited`: of the total, known to be exploited; `vulnerabilities`: the distinct ones among the total;
 * `through`: the component that the filter of this name means.
 */
export type FindingPage = Page<FindingRow> & {
  hidden: number
  exploited: number
  vulnerabilities: number
  through: DependencyStep | null
}

/** Findings to be judged at once: as many of a query as one act may hold, and which of them are known to be exploited. */
export type FindingIds = { ids: string[]; exploited: string[] }
