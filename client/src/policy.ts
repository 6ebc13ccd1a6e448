import { usageFailure } from './failure.ts'
import type { Finding, Matches, Result } from './answers.ts'

/** What `--fail-on` accepts. */
export const policyTerms = ['malware', 'exploited', 'critical', 'high', 'medium', 'low', 'any'] as const
export type PolicyTerm = (typeof policyTerms)[number]

/** The judging rules: a policy that stops on anything stops on malware, unless that is allowed. */
export type Policy = { failOn: readonly PolicyTerm[]; allowsMalware: boolean }

/** A term that is met, and the number of findings that meet it. */
export type PolicyHit = { term: PolicyTerm; count: number }

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
export function judge(policy: Policy, { matches, worst }: Pick<Result, 'matches' | 'worst'>): PolicyHit[] {
  const allowed = policy.allowsMalware ? (worst ?? []).filter(({ malware }) => malware) : []
  return termsOf(policy)
    .map((term) => ({
      term,
      count: countFor(term, matches, policy.allowsMalware) - uncounted(term, allowed),
    }))
    .filter(({ count }) => count > 0)
}

/** Counts by severity include malware; of every list of findings it is the beginning. */
function uncounted(term: PolicyTerm, allowed: readonly Finding[]): number {
  return term === 'any' ? 0 : allowed.filter((finding) => meets(term, finding)).length
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

function countFor(term: PolicyTerm, matches: Matches, allowsMalware: boolean): number {
  const { total, exploited, malware, bySeverity } = matches
  if (term === 'any') return allowsMalware ? total - malware : total
  if (term === 'malware') return malware
  if (term === 'exploited') return exploited
  let count = 0
  for (const severity of orderedSeverities) {
    count += bySeverity[severity]
    if (severity === term) break
  }
  return count
}
