import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sampleSbom } from '../support/sample-sbom.ts'
import { startService, type Service } from '../support/service.ts'

/** KILLS=100 for the full run. */
const kills = Number(process.env['KILLS'] ?? 4)
const senders = 4

type Answer = { id: string; duplicate: boolean; status: string }
type Provisioned = { workspaces: { families: { tokens: { token: string }[] }[] }[] }

let folder: string
let service: Service
let sql: pg.Client
let tokens: string[]
/** What clients saw acknowledged: by file, the ids answered and how many of them as new. */
const acknowledged = new Map<number, { ids: Set<string>; news: number }>()

const refusals: string[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sbom-monitor-kill-'))
  await chmod(folder, 0o755)
  service = await startService({ env: { DATA_DIR: join(folder, 'store'), LOG_LEVEL: 'error' } })
  const families = Array.from({ length: 40 * Math.ceil(kills / 4) }, (_, index) => ({
    name: `family ${index}`,
    tokens: [{ name: 'ci' }],
  }))
  const workspace = {
    slug: 'kill',
    companyName: 'Kill',
    securityContactEmail: 'k@example.com',
    plan: 'core',
    families,
  }
  const answer = await service.cli<Provisioned>(['provision'], { workspaces: [workspace] })
  tokens = answer.workspaces.flatMap(({ families: made }) =>
    made.flatMap((family) => family.tokens.map((t) => t.token)),
  )
}, 120_000)

afterAll(async () => {
  await sql.end()
  await service.stop()
  await rm(folder, { recursive: true, force: true })
}, 60_000)

async function send(file: number): Promise<void> {
  const token = tokens[file % tokens.length] ?? ''
  const body = sampleSbom({ components: 50, serial: file, offset: file % 500, version: String(file) })
  try {
    const response = await fetch(`${service.baseUrl}/api/v1/sboms`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: new Uint8Array(body),
    })
    if (response.status !== 202 && response.status !== 200) {
      refusals.push(`${response.status} ${await response.text()}`)
      return
    }
    const answer = (await response.json()) as Answer
    const known = acknowledged.get(file) ?? { ids: new Set<string>(), news: 0 }
    known.ids.add(answer.id)
    if (response.status === 202) known.news += 1
    acknowledged.set(file, known)
  } catch {
    // the process was killed: nothing was acknowledged
  }
}

/** Every file is sent twice at once, so that the two race each other as well as the kill. */
async function sendUntil(state: { isKilled: boolean; next: number }): Promise<void> {
  while (!state.isKilled) {
    const file = state.next
    state.next += 1
    await Promise.all([send(file), send(file)])
  }
}

describe(`kill -9 during uploads, ${kills} times`, () => {
  it('loses no acknowledged upload, doubles none, and matching resumes by itself', async () => {
    const state = { isKilled: false, next: 1 }
    for (let kill = 0; kill < kills; kill += 1) {
      state.isKilled = false
      const sending = Array.from({ length: senders }, () => sendUntil(state))
      await untilAcknowledged(acknowledged.size + 10)
      await sleep((kill * 97) % 250)
      // every second time the whole process tree goes, the store's server included
      if (kill % 2 === 1) killStore()
      await service.kill()
      state.isKilled = true
      await Promise.all(sending)
      await service.restart()
    }
    const { databaseUrl } = await service.cli<{ databaseUrl: string }>(['store'])
    sql = new pg.Client({ connectionString: databaseUrl })
    await sql.connect()
    await untilMatched()

    const stored = await sql.query<{ id: string; status: string; version: string }>(
      'select s.id, s.status, v.name as version from sbom s join product_version v on v.id = s.version_id',
    )
    const byFile = Map.groupBy(stored.rows, ({ version }) => Number(version))
    expect(acknowledged.size).toBeGreaterThan(kills)
    for (const [file, { ids, news }] of acknowledged) {
      expect([...ids], `file ${file} has one id`).toHaveLength(1)
      expect(news, `file ${file} is new at most once`).toBeLessThanOrEqual(1)
      expect(
        byFile.get(file)?.map(({ id }) => id),
        `file ${file} is stored once`,
      ).toEqual([...ids])
    }
    expect([...byFile.values()].filter((rows) => rows.length !== 1)).toEqual([])
    expect(stored.rows.filter(({ status }) => status !== 'matched')).toEqual([])
  }, 600_000)
})

async function untilAcknowledged(count: number): Promise<void> {
  const until = performance.now() + 60_000
  while (acknowledged.size < count) {
    if (performance.now() > until)
      throw new Error(`too few uploads were acknowledged: ${refusals.at(-1) ?? ''}`)
    await sleep(5)
  }
}

/** An orphaned job runs again within 35 seconds of the kill. */
async function untilMatched(): Promise<void> {
  const until = performance.now() + 180_000
  while (performance.now() < until) {
    const { rows } = await sql.query<{ open: string }>(
      `select count(*) as open from sbom where status <> 'matched'`,
    )
    if (rows[0]?.open === '0') return
    await sleep(100)
  }
}

function killStore(): void {
  const pidFile = readFileSync(join(folder, 'store/pgdata/postmaster.pid'), 'utf8')
  process.kill(Number(pidFile.split('\n')[0]), 'SIGKILL')
}
