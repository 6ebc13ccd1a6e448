import { Type, type Static } from 'typebox'
import { severities } from '../severities.ts'

export const SeverityCounts = Type.Record(Type.Enum(severities), Type.Number())
export type SeverityCounts = Static<typeof SeverityCounts>

/**
 * Open findings by their effective verdict: those declared not affected or fixed are counted there and nowhere else. `malware`
 * and `exploited` are counted in their severity as well.
 */
export const FindingCounts = Type.Object({
  /** Findings: one for every vulnerability of every component in every version that is counted over. */
  total: Type.Number(),
  /** The distinct vulnerabilities among them. */
  vulnerabilities: Type.Number(),
  /** Of the total: the component itself is malicious. */
  malware: Type.Number(),
  exploited: Type.Number(),
  bySeverity: SeverityCounts,
  notAffected: Type.Number(),
  fixed: Type.Number(),
})
export type FindingCounts = Static<typeof FindingCounts>

/**
 * How many components of the active SBOMs data loaded whole can decide about; where none, the absence of findings says nothing. A component
 * counts once for every SBOM that has it.
 */
export const Judged = Type.Object({ covered: Type.Number(), components: Type.Number() })
export type Judged = Static<typeof Judged>
