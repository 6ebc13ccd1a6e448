import type { Deps } from '../platform/deps.ts'
import { repeatUntilStopped } from '../queue/schedule/repeat.ts'
import { chainEvents } from './chain-events.ts'

const everyMs = 3_000

/** Chains what was recorded, a few seconds after it was committed, until stopped (docs/audit.md). */
export function startChaining({ db, log }: Pick<Deps, 'db' | 'log'>): { stop: () => Promise<void> } {
  const whenItFails = 'the audit trail could not be chained'
  return repeatUntilStopped(() => chainEvents(db), { everyMs, whenItFails, log })
}
