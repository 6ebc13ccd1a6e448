import type { Catalogue, Grade } from '../../contract/findings/shapes.ts'
import type { IncidentObstacle, IncidentOpening, VerdictSource } from '../../contract/findings/verdict.ts'
import type { Verdict } from '../../contract/vex/shapes.ts'

export type IncidentFacts = {
  grade: Grade
  /** Catalogues that name the record itself, a direct alias or a direct upstream. */
  exploitedBy: readonly Catalogue[]
  /** The component is in an active SBOM of a version that is not retired. */
  isInActiveSbom: boolean
  isFamilyArchived: boolean
  /** The effective verdict, and whose word it is. */
  verdict: Verdict | null
  verdictSource: VerdictSource | null
}

/**
 * Whether a finding opens an incident (domain 3.1): an exact match in an active SBOM that an exploited catalogue lists directly,
 * unless an uploaded document's `not_affected` or `fixed` is in force. A member's own verdict never suppresses it: the incident
 * opens, and waits for a determination by two people.
 */
export function mayOpenIncident(facts: IncidentFacts): IncidentOpening {
  const obstacle = obstacleOf(facts)
  return { opens: obstacle === null, obstacle }
}

function obstacleOf(facts: IncidentFacts): IncidentObstacle | null {
  if (facts.exploitedBy.length === 0) return 'not_listed'
  if (facts.grade !== 'exact') return 'not_exact'
  if (facts.isFamilyArchived) return 'archived'
  if (!facts.isInActiveSbom) return 'not_active'
  const isCleared = facts.verdict === 'not_affected' || facts.verdict === 'fixed'
  return isCleared && facts.verdictSource === 'document' ? 'declared' : null
}
