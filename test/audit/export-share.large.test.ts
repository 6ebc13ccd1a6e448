import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { sql } from 'kysely'
import { SbomReceipt } from '../../src/contract/sbom/shapes.ts'
import {
  exportComponents,
  exportComponentUses,
  exportIncidents,
} from '../../src/contract/export-operations.ts'
import { exportAuditEvents } from '../../src/contract/audit/operations.ts'
import { listVulnerabilities } from '../../src/contract/vulnerabilities/operations.ts'
import { AppSession } from '../support/app-session.ts'
import { testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { drain } from '../support/drain.ts'
import { call, startTestHttp, type TestHttp } from '../support/http.ts'
import { sampleSbom } from '../support/sample-sbom.ts'
import { createScene, type TestWorkspace } from '../support/scene.ts'
import { readAs, fieldOf } from '../support/read-as.ts'

/** More than the buffers between server and an idle reader can hold. */
const components = 50_000
const maxMs = 150

let store: TestDatabase
let http: TestHttp
let other: TestHttp
let acme: TestWorkspace
let umbrella: TestWorkspace
let owner: AppSession
let viewer: AppSession
let sbom: string

beforeAll(async () => {
  store = await createTestDatabase()
  http = await startTestHttp({ database: store, now: () => testNow })
  other = await startTestHttp({ database: store, now: () => testNow })
  ;[acme, umbrella] = await createScene(store.db, { plan: 'plus' })
  owner = await AppSession.signIn(http.url, acme.members.owner)
  viewer = await AppSession.signIn(http.url, acme.members.viewer)
  const sent = await call(`${http.url}/api/v1/sboms`, {
    method: 'POST',
    token: acme.families[0]?.upload ?? '',
    body: gzipSync(sampleSbom({ components, serial: 1, version: '1.0' })),
  })
  expect(sent.status).toBe(202)
  await drain(store.db, testNow)
  sbom = readAs(SbomReceipt, sent.body).id
}, 240_000)
afterAll(async () => {
  await other.stop()
  await http.stop()
  await store.drop()
})

type Opened = Awaited<ReturnType<AppSession['open']>>

const wholeFile = () => ({ params: { slug: 'acme', sbom }, query: { format: 'json' } }) as const
/** Downloads whose readers take no data. */
const open = (session: AppSession, count: number): Promise<Opened[]> =>
  Promise.all(Array.from({ length: count }, () => session.open(exportComponents, wholeFile())))

async function hangUp(answers: readonly Opened[]): Promise<void> {
  for (const { body } of answers) {
    body.on('error', () => undefined)
    body.destroy()
  }
  await vi.waitFor(async () => expect(await openReads()).toBe(0), { timeout: 30_000 })
}

async function openReads(): Promise<number | undefined> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
      and backend_type = 'client backend'`.execute(store.db)
  return rows[0]?.count
}

const statuses = (answers: readonly Opened[]): number[] => answers.map(({ statusCode }) => statusCode)

describe('exports at the same time', () => {
  it('are two for a person, and the third is told why', async () => {
    const answers = await open(owner, 2)
    expect(statuses(answers)).toEqual([200, 200])
    const refused = await owner.refused(exportComponents, wholeFile())
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '30' } })
    expect(refused.body).toEqual({
      error: 'rate_limited',
      message:
        'You already have 2 exports running, the most that one person can have. Wait until one of them has finished.',
    })
    await hangUp(answers)
  })

  it('are counted over all processes', async () => {
    const answers = [...(await open(owner, 1)), ...(await open(owner.at(other.url), 1))]
    expect(statuses(answers)).toEqual([200, 200])
    for (const url of [http.url, other.url])
      expect(await owner.at(url).refused(exportComponents, wholeFile())).toMatchObject({
        status: 429,
        body: { error: 'rate_limited' },
      })
    await hangUp(answers)
  })

  it('are four for a workspace', async () => {
    const third = await addMember()
    const answers = [...(await open(owner, 2)), ...(await open(viewer, 2))]
    expect(statuses(answers)).toEqual([200, 200, 200, 200])
    const { status, body } = await third.refused(exportComponents, wholeFile())
    expect(status).toBe(429)
    expect(JSON.stringify(body)).toContain('This workspace already has 4 exports running')
    const stranger = await AppSession.signIn(http.url, umbrella.members.viewer)
    expect((await stranger.ask(exportComponentUses)).status).toBe(200)
    await hangUp(answers)
  })

  it('have their places back when they end, are refused, or their reader hangs up', async () => {
    const broken = { params: { sbom: '00000000-0000-7000-8000-000000000000' } }
    for (let turn = 0; turn < 5; turn += 1) {
      expect((await owner.refused(exportComponents, broken)).status).toBe(404)
      expect((await owner.refused(exportAuditEvents, { query: { from: '2026-02-31' } })).status).toBe(400)
      expect((await owner.ask(exportIncidents)).status).toBe(200)
      await hangUp(await open(owner, 2))
    }
    expect(fieldOf((await owner.ask(exportComponents, wholeFile())).body, 'rows')).toHaveLength(components)
    // the last byte is sent before the read has ended
    await vi.waitFor(async () => expect(await openReads()).toBe(0), { timeout: 30_000 })
  })

  it('leave the lists of others fast while forty are asked for', async () => {
    const stranger = await AppSession.signIn(http.url, umbrella.members.viewer)
    const asked = open(owner, 40)
    const times: number[] = []
    for (let turn = 0; turn < 30; turn += 1) {
      const startedAt = performance.now()
      await stranger.call(listVulnerabilities)
      times.push(performance.now() - startedAt)
    }
    const answers = await asked
    expect(statuses(answers).toSorted()).toEqual([200, 200, ...Array<number>(38).fill(429)])
    expect(times.toSorted((one, next) => one - next)[15]).toBeLessThan(maxMs)
    await hangUp(answers)
  })
})

async function addMember(): Promise<AppSession> {
  await store.db
    .insertInto('member')
    .columns(['workspace_id', 'person_id', 'role', 'created_at'])
    .values({
      workspace_id: acme.id,
      person_id: umbrella.members.owner.id,
      role: 'viewer',
      created_at: testNow,
    })
    .execute()
  return AppSession.signIn(http.url, umbrella.members.owner)
}
