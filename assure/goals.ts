import { killDuringUploads } from '../test/reliability/scenarios/kill-during-uploads.ts'
import { stopUnderLoad } from '../test/reliability/scenarios/stop-under-load.ts'
import type { Goal } from './goal.ts'

const none = { exactly: 0 }

/** Every goal that `npm run assure` tries, in the order and with the figures of docs/reliability.md. */
export const goals: readonly Goal[] = [
  {
    number: 1,
    title: 'acknowledged uploads survive kill -9',
    bounds: {
      kills: { atLeast: 100 },
      acknowledged: { atLeast: 1_000 },
      missing: none,
      duplicateRows: none,
      severalIds: none,
      doubleNew: none,
      unmatched: none,
    },
    run: async () => ({ figures: await killDuringUploads({ kills: 100 }), failures: [] }),
  },
  {
    number: 25,
    title: 'graceful stop under load',
    bounds: {
      stops: { atLeast: 20 },
      missing: none,
      duplicateRows: none,
      cutAnswers: none,
      slowestStopMs: { atMost: 10_000 },
    },
    run: async () => ({ figures: await stopUnderLoad({ stops: 20 }), failures: [] }),
  },
]
