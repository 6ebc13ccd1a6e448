import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createCompany } from '../support/company.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { startService, type Service } from '../support/service.ts'
import { runRateLimit } from './scenarios/rate-limit.ts'
import { runRevocation } from './scenarios/revocation.ts'
import { testNow } from '../support/clock.ts'

let store: TestDatabase
let services: Service[]
let folder: string

beforeAll(async () => {
  store = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'clock-'))
  const clock = join(folder, 'now')
  // the hour of a rate limit must not end during the requests of a slow machine
  await writeFile(clock, testNow.toISOString())
  const env = { DATABASE_URL: store.url, LAB_CLOCK_OFFSET_FILE: clock, LOG_LEVEL: 'warn' }
  services = await Promise.all([1, 2].map(() => startService({ env, role: 'serve', readyWithinMs: 120_000 })))
}, 240_000)
afterAll(async () => {
  for (const service of services) await service.stop()
  await rm(folder, { recursive: true })
  await store.drop()
})

it(
  'lets exactly sixty of five hundred pass, on two processes, however the token is written',
  { timeout: 240_000 },
  async () => {
    const company = await createCompany(store.db, 'limited')
    const figures = await runRateLimit({ db: store.db, company, services })
    expect(figures).toEqual({ requests: 500, passed: 60, passedAfterRestart: 0, failures: [] })
  },
)

it('refuses a revoked token on every process from the commit on', { timeout: 240_000 }, async () => {
  const company = await createCompany(store.db, 'revoking')
  const figures = await runRevocation({ db: store.db, company, services, rounds: 10 })
  expect(figures).toMatchObject({ asked: 20, refused: 20, underWay: 20, acceptedAfter: 0, failures: [] })
})
