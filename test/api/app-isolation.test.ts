import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operations } from '../../src/http/routes.ts'
import { fillWorkspace } from '../reliability/scenarios/isolation/fill-workspace.ts'
import {
  changedTables,
  readStoredRows,
  type StoredRows,
} from '../reliability/scenarios/isolation/stored-rows.ts'
import { AppSession } from '../support/app-session.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { call, endBoth, startTestHttp, type TestHttp } from '../support/http.ts'
import { createScene, type TestWorkspace } from '../support/scene.ts'
import { testNow } from '../support/clock.ts'
import { bodies, nobodys } from './operation-bodies.ts'

// for strangers see test/reliability/isolation.large.test.ts

let store: TestDatabase
let http: TestHttp
let umbrella: TestWorkspace
let viewer: AppSession
let own: Record<string, string>

beforeAll(async () => {
  store = await createTestDatabase()
  http = await startTestHttp({ database: store, now: () => testNow })
  ;[, umbrella] = await createScene(store.db)
  viewer = await AppSession.signIn(http.url, umbrella.members.viewer)
  own = await fillWorkspace({ url: http.url, db: store.db, workspace: umbrella })
})
afterAll(() => endBoth(http, store))

const acts = operations.filter(
  ({ url, method }) =>
    url.startsWith('/api/app/workspaces/:slug') && method !== 'GET' && !url.endsWith('/leave'),
)

function addressOf(url: string): string {
  return url.replace('/api/app', '').replace(/:([a-z]+)/g, (_match, name: string) => own[name] ?? nobodys)
}

const stored = () => readStoredRows(store.db, umbrella.id, ['@umbrella.example'])
/** What the previous test found at its end. */
let left: StoredRows | undefined

it.each(acts.map((route) => [`${route.method} ${route.url}`, route] as const))(
  '%s refuses viewers and other sites, with a reason',
  async (name, route) => {
    const before = left ?? (await stored())
    const sent = { method: route.method, ...(name in bodies ? { body: bodies[name] } : {}) }
    const refused = { status: 403, body: { error: 'forbidden' } }
    expect(await viewer.send(addressOf(route.url), sent)).toMatchObject(refused)
    const elsewhere = { ...sent, headers: { origin: 'https://evil.example' } }
    expect(await viewer.send(addressOf(route.url), elsewhere)).toMatchObject(refused)
    left = await stored()
    expect(changedTables(before, left)).toEqual([])
  },
)

describe('the route table', () => {
  it('has session routes below /api/app only, and names a credential for each', () => {
    for (const { url, credential } of operations) {
      expect(
        url.startsWith('/api/app')
          ? ['session', 'none']
          : ['upload_token', 'results_token', 'workspace_token', 'metrics_token', 'none'],
      ).toContain(credential)
    }
    expect(acts.length).toBeGreaterThan(20)
  })

  it('gives a token of another family, or for something else, nothing', async () => {
    const url = `${http.url}/api/v1/sboms/${own['sbom'] ?? ''}`
    expect((await call(url, { token: umbrella.families[1]?.results ?? '' })).status).toBe(404)
    expect((await call(url, { token: umbrella.families[0]?.upload ?? '' })).status).toBe(401)
    expect((await call(url, { token: umbrella.families[0]?.results ?? '' })).status).toBe(200)
  })
})
