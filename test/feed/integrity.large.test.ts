import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '../../src/database/connection.ts'
import { runPublishedFeed } from '../reliability/scenarios/published-feed.ts'
import { createCompany } from '../support/company.ts'
import { openDatabaseOf } from '../support/database-of.ts'
import { startRealService, type RealService } from '../support/real-service.ts'
import { startService, type Service } from '../support/service.ts'

let real: RealService
let second: Service
let db: Db

beforeAll(async () => {
  real = await startRealService({ families: 1, role: 'serve' })
  const env = { DATA_DIR: real.dataDir, DATABASE_URL: '', LOG_LEVEL: 'error' }
  second = await startService({ env, role: 'serve' })
  db = await openDatabaseOf(real.service, 'test')
}, 240_000)
afterAll(async () => {
  await db.destroy()
  await second.stop()
  await real.close()
})

test(
  'under 20 readers on two processes, no answer differs from its tag and no line is without its document',
  { timeout: 300_000 },
  async () => {
    const company = await createCompany(db, 'published')
    const outcome = await runPublishedFeed({
      db,
      company,
      baseUrls: [real.service.baseUrl, second.baseUrl],
      publications: 30,
      readers: 20,
    })
    expect(outcome.failures).toEqual([])
    expect(outcome.figures).toMatchObject({ publications: 30, documentsChecked: 15 })
    expect(outcome.figures['hostilePaths']).toBeGreaterThanOrEqual(200)
    expect(outcome.figures['answers']).toBeGreaterThan(100)
  },
)
