import { runStoreAway, type StoreAwayOrder } from '../test/reliability/scenarios/store-away.ts'
import type { Outcome } from '../test/reliability/scenarios/outcome.ts'

const disturbances = { terminations: 30, backendKills: 2, crashes: 2, restarts: 1, senders: 4 }
const allowed = new Set(['200', '202', '500', '503'])

/** Thirty times every session ended, backends and servers killed, one restart, and cut connections, while files are sent. */
export async function storeAway(store: StoreAwayOrder['store']): Promise<Outcome> {
  const figures = await runStoreAway({ ...disturbances, store, cuts: store === 'external' ? 5 : 0 })
  const { answers, badAnswers, isSameProcess, ...numbers } = figures
  const others = Object.keys(answers).filter((status) => !allowed.has(status))
  return {
    figures: numbers,
    failures: [
      ...badAnswers,
      ...others.map((status) => `${answers[status] ?? 0} answers were ${status}`),
      ...(isSameProcess ? [] : ['the HTTP process or its parser was replaced']),
    ],
  }
}
