import { runSlowClients } from '../test/reliability/scenarios/slow-clients.ts'
import { startRealService } from '../test/support/real-service.ts'
import type { Outcome } from '../test/reliability/scenarios/outcome.ts'

/** 200 slow headers and 50 dripping uploads. */
export async function slowClients(): Promise<Outcome> {
  const real = await startRealService({ families: 50, role: 'serve' })
  try {
    const port = Number(new URL(real.service.baseUrl).port)
    return await runSlowClients({ port, headers: 200, uploads: 50, tokens: real.tokens })
  } finally {
    await real.close()
  }
}
