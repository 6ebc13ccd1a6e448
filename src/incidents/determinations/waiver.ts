import {
  negativeValues,
  type DeterminationScope,
  type DeterminationState,
  type DeterminationValue,
} from '../../contract/incidents/words.ts'
import type { RegimeFacts } from '../reports/wanted-reports.ts'

export type DeterminationFacts = {
  scope: DeterminationScope
  value: DeterminationValue
  state: DeterminationState
  recordedAt: Date
  decidedAt: Date | null
}

/**
 * What the determinations of a scope mean for its open reports. Positive ones take effect when recorded, negative ones when approved; the
 * last effect counts. Rejecting a classification as major ends the reports that it started; rejecting that a vulnerability is exploited
 * ends nothing, since those clocks run by themselves.
 */
export function waiverOf(
  scope: DeterminationScope,
  determinations: readonly DeterminationFacts[],
): RegimeFacts['waiver'] {
  const effects = determinations
    .filter((determination) => determination.scope === scope)
    .flatMap(effectsOf)
    .sort((one, other) => one.at.getTime() - other.at.getTime())
  return effects.at(-1)?.waiver ?? null
}

type Effect = { at: Date; waiver: RegimeFacts['waiver'] }

function effectsOf({ scope, value, state, recordedAt, decidedAt }: DeterminationFacts): Effect[] {
  if (negativeValues.includes(value)) {
    return state === 'approved' && decidedAt !== null ? [{ at: decidedAt, waiver: 'determination' }] : []
  }
  const begins: Effect = { at: recordedAt, waiver: null }
  if (scope === 'dora' && state === 'rejected' && decidedAt !== null) {
    return [begins, { at: decidedAt, waiver: 'classification_rejected' }]
  }
  return [begins]
}
