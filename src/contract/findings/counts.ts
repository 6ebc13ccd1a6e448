import type { Severity } from '../sbom/shapes.ts'

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
