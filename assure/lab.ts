import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Db } from '../src/database/connection.ts'
import { createCompany, type Company } from '../test/support/company.ts'
import { openDatabaseOf } from '../test/support/database-of.ts'
import { startRealService } from '../test/support/real-service.ts'
import { startService, type Service } from '../test/support/service.ts'
import { testNow } from '../test/support/clock.ts'

/** Two HTTP processes on one embedded store, with a session on it and the product clock stopped. */
export type Lab = { services: [Service, Service]; db: Db; company: Company }

/** Opens the processes for one scenario, and closes them whatever it did. */
export async function withTwoProcesses<T>(run: (lab: Lab) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'sbom-monitor-clock-'))
  const clock = join(folder, 'now')
  // The hour of a rate limit must not end in the middle.
  await writeFile(clock, testNow.toISOString())
  const env = { LAB_CLOCK_OFFSET_FILE: clock }
  const real = await startRealService({ families: 1, env, role: 'serve' })
  const second = await startService({
    env: { ...env, DATA_DIR: real.dataDir, DATABASE_URL: '', LOG_LEVEL: 'error' },
    role: 'serve',
  })
  const db = await openDatabaseOf(real.service, 'assure')
  try {
    const company = await createCompany(db, 'assured')
    return await run({ services: [real.service, second], db, company })
  } finally {
    await db.destroy()
    await second.stop()
    await real.close()
    await rm(folder, { recursive: true })
  }
}
