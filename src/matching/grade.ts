import type { GradeReason } from '../contract/findings/shapes.ts'
import type { IdentityBasis } from '../contract/identity.ts'

/** Identities that can match at all; the others are counted as not decided, never as clean. */
export const matchableDecidabilities = ['covered', 'no_version', 'release_unknown', 'uncomparable'] as const
export type MatchableDecidability = (typeof matchableDecidabilities)[number]

export type MatchFacts = {
  decidability: MatchableDecidability
  basis: IdentityBasis
  /** Of class `informational`: unmaintained, unsound, a notice. */
  isInformational: boolean
  /** What makes the range itself uncertain for this component (`streams.ts`, `affected_range.doubt`); null: nothing. */
  doubt: GradeReason | null
}

export type GradeWithReason = { grade: 'exact'; reason: null } | { grade: 'possible'; reason: GradeReason }

const exact: GradeWithReason = { grade: 'exact', reason: null }

/**
 * The grade of one match. Exact needs all of: a concrete version, identity by purl or by a CPE with version (that a tool guessed it
 * counts in its SBOM: `gradeInSbom`), an order that knows the version, a known release where the ecosystem has releases, a range without doubt, and
 * a record that is not informational. Withdrawn records never come this far. The grade starts legal clocks, so it is defined by
 * facts and never estimated.
 */
export function gradeOf({ decidability, basis, isInformational, doubt }: MatchFacts): GradeWithReason {
  if (isInformational) return possible('informational')
  if (basis === 'name') return possible('name_only')
  if (basis === 'guessed_cpe') return possible('guessed_cpe')
  if (decidability === 'no_version') return possible('no_version')
  if (decidability === 'release_unknown') return possible('release_unknown')
  if (decidability === 'uncomparable') return possible('unordered_version')
  if (doubt !== null) return possible(doubt)
  return exact
}

function possible(reason: GradeReason): GradeWithReason {
  return { grade: 'possible', reason }
}
