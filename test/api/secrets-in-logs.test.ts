import pino from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { issueSetupLink } from '../../src/people/setup.ts'
import { createCompany, createFamilyToken } from '../support/company.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { call, endBoth, startTestHttp, type TestHttp } from '../support/http.ts'
import { testNow } from '../support/clock.ts'

let store: TestDatabase
let http: TestHttp
const lines: string[] = []

beforeAll(async () => {
  store = await createTestDatabase()
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  http = await startTestHttp({ database: store, now: () => testNow, log, hasParserChildren: true })
})
afterAll(() => endBoth(http, store))

it('never writes a token or a set-up secret, wherever somebody puts it', async () => {
  const setup = (await issueSetupLink(store.db, testNow)) ?? ''
  const { secret } = await createFamilyToken(store.db, await createCompany(store.db, 'acme'))
  const encoded = [...secret].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('')
  const paths = [
    `/api/v1/sboms?token=${secret}`,
    `/${secret}`,
    `/${encoded}`,
    `/api/v1/sboms/${secret}`,
    `/api/v1/${secret}/sboms`,
    `/app/setup/${setup}`,
    `/api/app/setup/${setup}`,
    `/app/setup?secret=${setup}`,
  ]
  for (const path of paths) await call(`${http.url}${path}`)
  const headers = { authorization: `Bearer ${secret}`, 'x-api-key': secret, cookie: `session=${secret}` }
  await call(`${http.url}/api/v1/sboms`, { method: 'POST', headers, body: '{}' })
  await call(`${http.url}/api/app/setup/state`, { method: 'POST', body: JSON.stringify({ secret: setup }) })
  const written = lines.join('')
  expect(lines.filter((line) => line.includes('"path"')).length).toBeGreaterThanOrEqual(paths.length + 2)
  for (const found of [secret, secret.slice(4), setup, encoded]) expect(written).not.toContain(found)
})
