import type { Deps } from '../../platform/deps.ts'
import { chainEvents } from './chain-events.ts'

const everyMs = 3_000

/** Chains what was recorded, a few seconds after it was committed, until stopped (docs/audit.md). */
export function startChaining({ db, log }: Pick<Deps, 'db' | 'log'>): { stop: () => Promise<void> } {
  let running: Promise<void> | undefined
  const chain = () => {
    running ??= chainEvents(db)
      .then(
        () => undefined,
        (error: unknown) => {
          log.error({ err: error }, 'the audit trail could not be chained')
        },
      )
      .finally(() => {
        running = undefined
      })
  }
  const repeating = setInterval(chain, everyMs)
  return {
    stop: async () => {
      clearInterval(repeating)
      await running
    },
  }
}
