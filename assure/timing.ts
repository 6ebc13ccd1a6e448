import type { Outcome } from '../test/reliability/scenarios/outcome.ts'
import { runTiming } from '../test/reliability/scenarios/timing.ts'
import { createCompany } from '../test/support/company.ts'
import { openDatabaseOf } from '../test/support/database-of.ts'
import { startRealService } from '../test/support/real-service.ts'

export async function timing(): Promise<Outcome> {
  const real = await startRealService({ families: 1, env: { TRUST_PROXY: '1' }, role: 'serve' })
  const db = await openDatabaseOf(real.service, 'assure')
  try {
    const company = await createCompany(db, 'timed')
    return await runTiming({
      db,
      company,
      baseUrl: real.service.baseUrl,
      tokenChecks: 2_000,
      signIns: 200,
    })
  } finally {
    await db.destroy()
    await real.close()
  }
}
