import { newKeyText } from '../src/platform/sealing/key-ring.ts'
import type { Outcome } from '../test/reliability/scenarios/outcome.ts'
import { runSecrets } from '../test/reliability/scenarios/secrets/run-secrets.ts'
import { openDatabaseOf } from '../test/support/database-of.ts'
import { startRealService } from '../test/support/real-service.ts'

const metricsToken = 'a-metrics-token-of-this-run'

export async function secrets(): Promise<Outcome> {
  const keys = newKeyText()
  const env = { LOG_LEVEL: 'trace', ENCRYPTION_KEYS: keys, METRICS_TOKEN: metricsToken, OPERATOR_PAGES: 'on' }
  const real = await startRealService({ families: 1, env })
  const db = await openDatabaseOf(real.service, 'assure')
  try {
    return await runSecrets({ service: real.service, db, configured: [keys, metricsToken] })
  } finally {
    await db.destroy()
    await real.close()
  }
}
