import { usageFailure } from './failure.ts'
import type { Matches } from './answers.ts'

/** What `--fail-on` accepts. */
export const policyTerms = ['exploited', 'critical', 'high', 'medium', 'low', 'any'] as const
export type PolicyTerm = (typeof policyTerms)[number]

/** A term that is met, and by how many findings. */
export type PolicyHit = { term: PolicyTerm; count: number }

const orderedSeverities = ['critical', 'high', 'medium', 'low'] as const

/** Reads `exploited,high`. Fails as usage on anything unknown or empty: a misspelt gate must not pass everything. */
export function parsePolicy(text: string): PolicyTerm[] {
  const terms = text.split(',').map((word) => word.trim().toLowerCase())
  const known = terms.map((word) => policyTerms.find((term) => term === word))
  if (known.includes(undefined)) {
    throw usageFailure(`--fail-on takes one or more of ${policyTerms.join(', ')}, separated by commas`)
  }
  return policyTerms.filter((term) => known.includes(term))
}

/**
 * The terms that are met. A severity means "that or worse"; findings without a known severity count for `any` only, those
 * that are not affected (VEX) for none.
 */
export function judge(terms: readonly PolicyTerm[], matches: Matches): PolicyHit[] {
  return terms.map((term) => ({ term, count: countFor(term, matches) })).filter(({ count }) => count > 0)
}

/** No component could be checked, so that nothing found says nothing. */
export function isUnchecked({ coverage }: Matches): boolean {
  return coverage.covered === 0
}

function countFor(term: PolicyTerm, { total, exploited, bySeverity }: Matches): number {
  if (term === 'any') return total
  if (term === 'exploited') return exploited
  let count = 0
  for (const severity of orderedSeverities) {
    count += bySeverity[severity]
    if (severity === term) break
  }
  return count
}
