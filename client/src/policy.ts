import { usageFailure } from './failure.ts'
import type { Finding, Matches, Result } from './answers.ts'

/** What `--fail-on` accepts. */
export const policyTerms = ['malware', 'exploited', 'critical', 'high', 'medium', 'low', 'any'] as const
export type PolicyTerm = (typeof policyTerms)[number]

/** The judging rules: a policy that stops on anything stops on malware, unless that is allowed. */
export type Policy = { failOn: readonly PolicyTerm[]; allowsMalware: boolean }

/** A term that is met, and the number of findings that meet it. */
export type PolicyHit = { term: PolicyTerm; count: number }

type Judged = Pick<Result, 'matches' | 'worst'>

const orderedSeverities = ['critical', 'high', 'medium', 'low'] as const

/** Parses `exploited,high`. Fails as usage on anything unknown or empty: a misspelt gate must not pass everything. */
export function parsePolicy(text: string): PolicyTerm[] {
  const terms = text.split(',').map((word) => word.trim().toLowerCase())
  const known = terms.map((word) => policyTerms.find((term) => term === word))
  if (known.includes(undefined)) {
    throw usageFailure(`--fail-on takes one or more of ${policyTerms.join(', ')}, separated by commas`)
  }
  return policyTerms.filter((term) => known.includes(term))
}

/**
 * The terms that are met, malware first. A severity means "that or worse"; findings of unknown severity count only for `any`, and those not
 * affected (VEX) for none. Malware that is allowed counts for no term.
 */
export function judge(policy: Policy, result: Judged): PolicyHit[] {
  const allowed = policy.allowsMalware ? malwareFor : () => 0
  return termsOf(policy)
    .map((term) => ({ term, count: countFor(term, result.matches) - allowed(term, result) }))
    .filter(({ count }) => count > 0)
}

/** How many of the counted are malware. Only the list says so of one severity; malware is its beginning. */
function malwareFor(term: PolicyTerm, { matches, worst }: Judged): number {
  if (term === 'any') return matches.malware
  return (worst ?? []).filter((finding) => finding.malware && meets(term, finding)).length
}

/** Whether a finding meets a term. */
export function meets(term: PolicyTerm, { malware, exploited, severity }: Finding): boolean {
  if (term === 'any') return true
  if (term === 'malware') return malware
  if (term === 'exploited') return exploited
  const place = orderedSeverities.findIndex((known) => known === severity)
  return place !== -1 && place <= orderedSeverities.indexOf(term)
}

/** Whether the policy stops on a finding. */
export function isHit(policy: Policy, finding: Finding): boolean {
  if (finding.malware && policy.allowsMalware) return false
  return termsOf(policy).some((term) => meets(term, finding))
}

function termsOf({ failOn, allowsMalware }: Policy): PolicyTerm[] {
  if (failOn.length === 0) return []
  return policyTerms.filter((term) => (term === 'malware' ? !allowsMalware : failOn.includes(term)))
}

/** No component could be checked, so finding nothing means nothing. */
export function isUnchecked({ coverage }: Matches): boolean {
  return coverage.covered === 0
}

function countFor(term: PolicyTerm, { total, exploited, malware, bySeverity }: Matches): number {
  if (term === 'any') return total
  if (term === 'malware') return malware
  if (term === 'exploited') return exploited
  let count = 0
  for (const severity of orderedSeverities) {
    count += bySeverity[severity]
    if (severity === term) break
  }
  return count
}
