import { afterAll, beforeAll, expect, it } from 'vitest'
import { testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { endBoth, startTestHttp, type TestHttp } from '../support/http.ts'
import { runIsolation } from './scenarios/isolation/run-isolation.ts'

let database: TestDatabase
let http: TestHttp

beforeAll(async () => {
  database = await createTestDatabase()
  http = await startTestHttp({ database, now: () => testNow, trustProxy: 1, hasParserChildren: true })
})

afterAll(() => endBoth(http, database))

it(
  'strangers see and change nothing of another workspace, whatever route they ask',
  { timeout: 600_000 },
  async () => {
    const { figures, failures } = await runIsolation({
      http,
      db: database.db,
      kinds: ['missing'],
      comparesEach: false,
    })
    expect(failures).toEqual([])
    expect(figures).toMatchObject({ askers: 9, withoutEntry: 0, leaks: 0, changes: 0 })
    expect(figures['routes']).toBeGreaterThan(250)
  },
)
