import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPool, createQueries } from '../../src/platform/postgres/pool.ts'
import { setClosed } from '../../src/workspace/workspaces.ts'
import { callAsSpelt } from '../support/call-as-spelt.ts'
import { testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { baseUrl, call, endBoth, startTestHttp, type TestHttp } from '../support/http.ts'
import { createScene, type TestWorkspace } from '../support/scene.ts'
import { textWith } from '../support/expected.ts'
import { tester } from '../support/actors.ts'

let database: TestDatabase
let http: TestHttp
let acme: TestWorkspace
let umbrella: TestWorkspace

beforeAll(async () => {
  database = await createTestDatabase()
  http = await startTestHttp({ database, now: () => testNow })
  ;[acme, umbrella] = await createScene(database.db)
})
afterAll(() => endBoth(http, database))

const metadata = '/csaf/acme/provider-metadata.json'
const shared = {
  'access-control-allow-origin': '*',
  'cache-control': 'public, max-age=300, stale-while-revalidate=60',
  'x-content-type-options': 'nosniff',
}

async function setDisclosure(settings: { contact: string | null; canonical: string | null }): Promise<void> {
  await database.pool.query(
    `insert into disclosure_settings (workspace_id, public_contact_email, canonical_url, acknowledge_days)
     values ($1, $2, $3, 3)
     on conflict (workspace_id) do update set public_contact_email = $2, canonical_url = $3`,
    [acme.id, settings.contact, settings.canonical],
  )
}

test('the provider metadata is there before anything is published', async () => {
  const { status, headers, body } = await call(http.url + metadata)
  expect({ status, headers }).toMatchObject({
    status: 200,
    headers: { ...shared, 'content-type': 'application/json; charset=utf-8' },
  })
  expect(body).toEqual({
    canonical_url: `${baseUrl}${metadata}`,
    distributions: [{ directory_url: `${baseUrl}/csaf/acme/white/` }],
    last_updated: testNow.toISOString(),
    list_on_CSAF_aggregators: true,
    metadata_version: '2.0',
    mirror_on_CSAF_aggregators: true,
    publisher: {
      category: 'vendor',
      contact_details: textWith('security@acme.example'),
      name: 'acme company',
      namespace: `${baseUrl}/csaf/acme`,
    },
    role: 'csaf_publisher',
  })
})

test('contact and namespace follow the disclosure settings', async () => {
  await setDisclosure({
    contact: 'psirt@acme.example',
    canonical: 'https://www.acme.example/security/security.txt',
  })
  const { body } = await call(http.url + metadata)
  expect(body).toMatchObject({
    canonical_url: `${baseUrl}${metadata}`,
    publisher: {
      contact_details: textWith('psirt@acme.example'),
      namespace: 'https://www.acme.example',
    },
  })
  await setDisclosure({ contact: null, canonical: null })
})

test.each([
  ['/csaf/acme/white/index.txt', 'text/plain; charset=utf-8'],
  ['/csaf/acme/white/changes.csv', 'text/csv; charset=utf-8'],
])('%s is empty', async (path, type) => {
  const answer = await call(http.url + path)
  expect(answer).toMatchObject({ status: 200, body: '', headers: { ...shared, 'content-type': type } })
})

test('closed workspaces keep their feed', async () => {
  await setClosed(database.db, { workspaceId: umbrella.id, closedAt: testNow, actor: tester, now: testNow })
  expect((await call(`${http.url}/csaf/umbrella/provider-metadata.json`)).status).toBe(200)
})

describe('addresses that are not files of a feed', () => {
  const paths = [
    '/csaf',
    '/csaf/',
    '/csaf/acme',
    '/csaf/acme/',
    '/csaf/nobody/provider-metadata.json',
    '/csaf/acme/provider-metadata.json/',
    '/csaf/acme/Provider-Metadata.json',
    '/csaf/ACME/provider-metadata.json',
    '/csaf/acme/provider%2dmetadata.json',
    '/csaf/acme/provider-metadata%2Ejson',
    '/csaf/acme//provider-metadata.json',
    '/csaf//acme/provider-metadata.json',
    '/csaf/acme/./provider-metadata.json',
    '/csaf/acme/white',
    '/csaf/acme/white/',
    '/csaf/acme/white/index.txt.sha256',
    '/csaf/acme/white/../provider-metadata.json',
    '/csaf/acme/white/%2e%2e/provider-metadata.json',
    '/csaf/acme/green/index.txt',
    '/csaf/acme/amber/changes.csv',
    '/csaf/acme/red/index.txt',
    '/csaf/acme/white/2026/acme-2026-0001.json',
    '/csaf/acme/white/2026/acme-2026-0001.json.asc',
    '/csaf/acme/white/index.txt%00',
    `/csaf/${'a'.repeat(5_000)}/provider-metadata.json`,
    '/csaf/acme/.well-known/csaf/provider-metadata.json',
  ]
  test.each(paths)('%s', async (path) => {
    const answer = await callAsSpelt(http.url, path)
    expect(answer).toMatchObject({ status: 404, body: 'Not found', headers: { 'cache-control': 'no-store' } })
    expect(answer.headers['content-type']).toContain('text/plain')
  })
})

test('HEAD is GET without a body', async () => {
  const got = await call(http.url + metadata)
  const head = await call(http.url + metadata, { method: 'HEAD' })
  expect(head).toMatchObject({ status: 200, body: '' })
  for (const name of ['content-type', 'content-length', 'etag', ...Object.keys(shared)]) {
    expect([name, head.headers[name]]).toEqual([name, got.headers[name]])
  }
})

test.each(['GET', 'HEAD'] as const)(
  '%s of a file that the client has says nothing of its length',
  async (method) => {
    const answer = await call(http.url + metadata, { method, headers: { 'if-none-match': '*' } })
    expect(answer).toMatchObject({ status: 304, headers: shared })
    expect(answer.headers['content-length']).toBeUndefined()
  },
)

test('OPTIONS answers the preflight of a script on another site', async () => {
  const answer = await call(http.url + metadata, { method: 'OPTIONS' })
  expect(answer).toMatchObject({
    status: 204,
    headers: { 'access-control-allow-origin': '*', 'access-control-allow-methods': 'GET, HEAD, OPTIONS' },
  })
  expect((await call(`${http.url}/csaf/nobody/white/index.txt`, { method: 'OPTIONS' })).status).toBe(404)
})

test.each(['POST', 'PUT', 'DELETE'] as const)('%s is answered 405', async (method) => {
  const answer = await call(http.url + metadata, { method, body: method === 'DELETE' ? '' : '{}' })
  expect(answer).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD, OPTIONS' } })
})

test('what a client has is not sent again', async () => {
  const { headers } = await call(http.url + metadata)
  const tag = String(headers['etag'])
  expect(tag).toMatch(/^"[0-9a-f]{64}"$/)
  for (const known of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
    const again = await call(http.url + metadata, { headers: { 'if-none-match': known } })
    expect(again).toMatchObject({ status: 304, body: '', headers: { ...shared, etag: tag } })
  }
  const other = await call(http.url + metadata, { headers: { 'if-none-match': '"x"' } })
  expect(other.status).toBe(200)
})

test('while the database is away, a feed is not withdrawn', async () => {
  const pool = createPool(
    { host: '127.0.0.1', port: 1 },
    { max: 1, applicationName: 'test', log: { warn: () => undefined } },
  )
  const other = await startTestHttp({ database, db: createQueries(pool), now: () => testNow })
  const answer = await call(other.url + metadata)
  expect(answer).toMatchObject({ status: 503, headers: { 'cache-control': 'no-store' } })
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  await other.stop()
  await pool.end()
})
