import type { Outcome } from '../test/reliability/scenarios/outcome.ts'
import { runSilentStore } from '../test/reliability/scenarios/silent-store.ts'

/** Five times the packets of every connection to the store are lost, once the whole host is silent, once it commits nothing. */
export async function silentStore(): Promise<Outcome> {
  const { badAnswers, ...figures } = await runSilentStore({ silences: 5 })
  return { figures, failures: badAnswers }
}
