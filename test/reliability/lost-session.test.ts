import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sampleSbom } from '../support/sample-sbom.ts'
import { startService, type Service } from '../support/service.ts'

type Provisioned = { workspaces: { families: { tokens: { token: string }[] }[] }[] }

let folder: string
let service: Service
let sql: pg.Client
let token: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sbom-monitor-lost-'))
  await chmod(folder, 0o755)
  service = await startService({ env: { DATA_DIR: join(folder, 'store'), LOG_LEVEL: 'info' } })
  const families = [{ name: 'family', tokens: [{ name: 'ci' }] }]
  const workspace = { slug: 'lost', companyName: 'Lost', securityContactEmail: 'l@example.com', families }
  const answer = await service.cli<Provisioned>(['provision'], {
    workspaces: [{ ...workspace, plan: 'core' }],
  })
  token = answer.workspaces[0]?.families[0]?.tokens[0]?.token ?? ''
  const { databaseUrl } = await service.cli<{ databaseUrl: string }>(['store'])
  sql = new pg.Client({ connectionString: databaseUrl })
  await sql.connect()
}, 120_000)

afterAll(async () => {
  await sql.end()
  await service.stop()
  await rm(folder, { recursive: true, force: true })
}, 60_000)

async function send(body: Buffer): Promise<{ status: number; error?: string }> {
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${service.baseUrl}/api/v1/sboms`, {
    method: 'POST',
    headers,
    body: new Uint8Array(body),
  })
  const { error } = (await response.json()) as { error?: string }
  return { status: response.status, ...(error === undefined ? {} : { error }) }
}

/** Ends the session that stores the large file, so long after its transaction has begun. Answers whether there was one. */
async function endSession(afterMs: number): Promise<boolean> {
  const ofLargeLane = `application_name = 'sbom-monitor parser large' and xact_start is not null`
  const until = performance.now() + 20_000
  while (performance.now() < until) {
    const { rows } = await sql.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where ${ofLargeLane} and clock_timestamp() - xact_start > $1 * interval '1 ms'`,
      [afterMs],
    )
    if (rows.length > 0) return true
    await sleep(1)
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
      expect(answer).toEqual({ status: 500, error: 'internal' })
      expect(parsersStarted()).toBe(before)
      expect(await send(body)).toEqual({ status: 202 })
    },
  )
})
