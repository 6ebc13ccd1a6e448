import type { Regime } from '../../contract/alerts/events.ts'
import type {
  CloseBlocker,
  DeterminationScope,
  DeterminationState,
  ReportState,
} from '../../contract/incidents/words.ts'

export type ClosingFacts = {
  regimes: readonly { regime: Regime; isActive: boolean }[]
  /** Of the present cycle. */
  determinations: readonly { scope: DeterminationScope; state: DeterminationState }[]
  isAwarenessPending: boolean
  /** Of the present cycle. */
  reports: readonly { regime: Regime; state: ReportState }[]
}

/** What keeps an incident from being closed; empty: nothing. */
export function closingBlockers({
  regimes,
  determinations,
  isAwarenessPending,
  reports,
}: ClosingFacts): CloseBlocker[] {
  const isActive = (regime: Regime) => regimes.some((one) => one.regime === regime && one.isActive)
  const isApproved = determinations.some(({ scope, state }) => scope === 'cra' && state === 'approved')
  const isPending = determinations.some(({ state }) => state === 'pending')
  const isOpen = reports.some(
    ({ regime, state }) => isActive(regime) && (state === 'open' || state === 'waiting'),
  )
  return [
    ...(isActive('cra') && !isApproved ? (['determination_missing'] as const) : []),
    ...(isPending ? (['determination_pending'] as const) : []),
    ...(isAwarenessPending ? (['awareness_pending'] as const) : []),
    ...(isOpen ? (['reports_open'] as const) : []),
  ]
}
