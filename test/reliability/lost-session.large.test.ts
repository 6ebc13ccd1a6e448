import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCompany, createFamilyToken } from '../support/company.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { call } from '../support/http.ts'
import { sampleSbom } from '../support/sample-sbom.ts'
import { startService, type Service } from '../support/service.ts'

let database: TestDatabase
let service: Service
let token: string

beforeAll(async () => {
  database = await createTestDatabase()
  const company = await createCompany(database.db, 'acme')
  token = (await createFamilyToken(database.db, company)).secret
  service = await startService({ env: { DATABASE_URL: database.url, LOG_LEVEL: 'info' } })
})

afterAll(async () => {
  await service.stop()
  await database.drop()
})

const send = (body: Buffer) => call(`${service.baseUrl}/api/v1/sboms`, { method: 'POST', token, body })

/**
 * Ends the session that stores the large file, some time after its transaction has started. Returns whether there was one. Earlier,
 * read-only statements have no transaction id: ending their session could come too late, and another session would store the file.
 */
async function endSession(afterMs: number): Promise<boolean> {
  const until = performance.now() + 120_000
  while (performance.now() < until) {
    const { rows } = await database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'sbom-monitor parser large'
         and backend_xid is not null and clock_timestamp() - xact_start > $1 * interval '1 ms'`,
      [afterMs],
    )
    if (rows.length > 0) return true
    await sleep(afterMs / 20)
  }
  return false
}

const parsersStarted = () => service.output().split('parser started').length - 1

describe('the store ends the session of a large upload', () => {
  it.each([20, 200])(
    'after %i ms: the client is told to try again, and no process dies of it',
    async (afterMs) => {
      const before = parsersStarted()
      const body = gzipSync(
        sampleSbom({ components: 50_000, serial: 1 + afterMs, offset: afterMs * 100_000 }),
      )
      const [answer, isEnded] = await Promise.all([send(body), endSession(afterMs)])
      expect(isEnded).toBe(true)
      expect(answer).toMatchObject({ status: 500, body: { error: 'internal' } })
      expect(parsersStarted()).toBe(before)
      expect(await send(body)).toMatchObject({ status: 202 })
    },
    300_000,
  )
})
