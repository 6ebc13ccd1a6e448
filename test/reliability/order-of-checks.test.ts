import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { endBoth, startTestHttp, type TestHttp } from '../support/http.ts'
import { runOrderOfChecks } from './scenarios/order-of-checks.ts'
import { testNow } from '../support/clock.ts'

let database: TestDatabase
let http: TestHttp

beforeAll(async () => {
  database = await createTestDatabase()
  http = await startTestHttp({ database, now: () => testNow, hasParserChildren: true })
})

afterAll(() => endBoth(http, database))

it(
  'of two errors the one the contract puts first is answered, at every endpoint',
  { timeout: 240_000 },
  async () => {
    const outcome = await runOrderOfChecks({ db: database.db, baseUrl: http.url, now: testNow })
    expect(outcome.failures).toEqual([])
    expect(outcome.figures['pairs']).toBeGreaterThan(40)
  },
)
