import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { createCompany, createFamilyToken, type Company } from '../support/company.ts'
import { call } from '../support/http.ts'
import { sampleSbom } from '../support/sample-sbom.ts'
import { startService, type Service } from '../support/service.ts'
import { stopUnderLoad } from './scenarios/stop-under-load.ts'
import { fieldOf } from '../support/read-as.ts'

let database: TestDatabase
let company: Company

beforeAll(async () => {
  database = await createTestDatabase()
  company = await createCompany(database.db, 'acme')
})

afterAll(() => database.drop())

function start(): Promise<Service> {
  return startService({ env: { DATABASE_URL: database.url }, role: 'serve', readyWithinMs: 110_000 })
}

async function upload(service: Service, serial: number, components: number) {
  const { secret } = await createFamilyToken(database.db, company)
  const body = gzipSync(sampleSbom({ components, serial, offset: serial * 100_000 }), { level: 1 })
  return call(`${service.baseUrl}/api/v1/sboms`, { method: 'POST', token: secret, body })
}

function parserPid(service: Service): number {
  const lines = service
    .output()
    .split('\n')
    .filter((line) => line.includes('"parser started"'))
  return Number(fieldOf(JSON.parse(lines.at(-1) ?? '{}'), 'pid'))
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('an HTTP process', () => {
  it('that is told to stop finishes what it has accepted, within ten seconds', async () => {
    const service = await start()
    const parser = parserPid(service)
    const answers = [1, 2, 3, 4].map((serial) => upload(service, serial, serial === 1 ? 500 : 20))
    while (!(await isReceiving())) await sleep(5)
    const startedAt = performance.now()
    await service.stop()
    expect(performance.now() - startedAt).toBeLessThan(10_000)
    const statuses = (await Promise.all(answers)).map(({ status }) => status)
    expect(statuses).toEqual([202, 202, 202, 202])
    expect(isAlive(parser)).toBe(false)
  })

  it('that is killed leaves no parser child behind', async () => {
    const service = await start()
    const parser = parserPid(service)
    expect(isAlive(parser)).toBe(true)
    await service.kill()
    for (let waited = 0; isAlive(parser) && waited < 5_000; waited += 20) await sleep(20)
    expect(isAlive(parser)).toBe(false)
  })
})

it('told to stop again and again under load loses nothing it acknowledged and cuts no answer', async () => {
  const { acknowledged, slowestStopMs, ...figures } = await stopUnderLoad({ stops: 3 })
  expect(figures).toEqual({ stops: 3, missing: 0, duplicateRows: 0, cutAnswers: 0 })
  expect(acknowledged).toBeGreaterThan(20)
  expect(slowestStopMs).toBeLessThan(30_000)
}, 300_000)

/** All four have passed the token check. */
async function isReceiving(): Promise<boolean> {
  const { count } = await database.db
    .selectFrom('token_use')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count === 4
}
