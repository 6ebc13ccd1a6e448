import { once } from 'node:events'
import { Agent, createServer, request, type Server } from 'node:http'
import { buffer } from 'node:stream/consumers'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { KeptFiles } from '../../src/advisories/feed/kept-files.ts'
import type { HttpDeps } from '../../src/http/deps.ts'
import { answerKept } from '../../src/http/feed/answer-kept.ts'
import { createPool, createQueries } from '../../src/platform/postgres/pool.ts'
import { createAdvisoryScene, sampleContent, Writer } from '../support/advisory-scene.ts'
import { testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { baseUrl, startTestHttp, type TestHttp } from '../support/http.ts'
import { createScene } from '../support/scene.ts'
import { startStoreProxy } from '../support/store-proxy.ts'
import { portOf } from '../support/port-of.ts'
import { answerTo } from '../support/once-over.ts'

let database: TestDatabase
let http: TestHttp
let agent: Agent
const lines: string[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  http = await startTestHttp({ database, now: () => testNow, log, trustProxy: 1 })
  const [acme] = await createScene(database.db)
  const scene = await createAdvisoryScene(database, http, acme)
  const writer = new Writer(scene)
  for (let count = 0; count < 4; count += 1) await writer.release(sampleContent(scene.products))
})
afterAll(async () => {
  agent.destroy()
  await http.stop()
  await database.drop()
})

const metadata = '/csaf/acme/provider-metadata.json'
const document = (number: number) => `/csaf/acme/white/2026/acme-sa-2026-000${number}.json`

/** All requests use one connection, one after the other. */
async function ask(port: number, path: string, { method = 'GET', headers = {} } = {}): Promise<Asked> {
  const asking = request({ host: '127.0.0.1', port, path, method, headers, agent })
  asking.end()
  const answer = await answerTo(asking)
  const body = await buffer(answer)
  return { status: `${answer.statusCode} ${answer.statusMessage}`, headers: answer.rawHeaders, body }
}

type Asked = { status: string; headers: string[]; body: Buffer }

/** Ids and times differ from request to request. */
function withoutTimes({ status, headers, body }: Asked): unknown {
  const steady = headers.map((value, place) =>
    ['x-request-id', 'Date'].includes(headers[place - 1] ?? '') ? value.replaceAll(/[\w-]/g, '0') : value,
  )
  return { status, headers: steady, body: body.toString('latin1') }
}

const withoutNumbers = (line: string) =>
  line.replace(/"(time|ms)":\d+/g, '"$1":0').replace(/"reqId":"[\w-]{16}"/, '"reqId":"0"')

describe('a file is answered from memory as it was when it was read, with the same line in the log', () => {
  test.each<[string, string, Record<string, string>]>([
    ['metadata', metadata, {}],
    ['an index', '/csaf/acme/white/index.txt?a=b', {}],
    ['changes that the client has', '/csaf/acme/white/changes.csv', { 'if-none-match': 'W/"x", *' }],
    ['a document', document(1), {}],
    ['a document in gzip', document(2), { 'accept-encoding': 'gzip' }],
    ['a document in brotli', document(3), { 'accept-encoding': 'gzip;q=0.5, br' }],
    ['a document in another state', document(4), { 'if-match': '"x"' }],
    ['a document that is old', document(4), { 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' }],
    ['a short file', `${document(1)}.sha512`, { 'accept-encoding': 'gzip', 'content-type': '?' }],
    ['with a version of something', `${document(2)}.sha512`, { 'accept-version': '9' }],
    ['to a proxy that speaks https', `${document(1)}.sha256`, { 'x-forwarded-proto': 'https' }],
    ['to a proxy that does not', `${document(2)}.sha256`, { 'x-forwarded-proto': 'https, http' }],
    ['on a connection that ends', `${document(3)}.sha256`, { connection: 'close' }],
  ])('%s', async (_what, path, headers) => {
    lines.length = 0
    const asked: Asked[] = []
    for (let time = 0; time < 3; time += 1) asked.push(await ask(http.port, path, { headers }))
    const [first, second, third] = asked.map(withoutTimes)
    expect(second).toEqual(first)
    expect(third).toEqual(first)
    await expect.poll(() => lines.length).toBe(3)
    expect(new Set(lines.map(withoutNumbers)).size).toBe(1)
    expect(lines[0]).toContain(`"path":"${path.replace(/\?.*/, '')}"`)
  })
})

test('each answer is counted', async () => {
  const count = async () => {
    const line = /^.*_count\{method="GET",route="\/csaf\/\*",status="200"\} (\d+)$/m
    return Number(line.exec(await http.metrics())?.[1] ?? 0)
  }
  const before = await count()
  for (let time = 0; time < 3; time += 1) await ask(http.port, metadata)
  await expect.poll(count).toBe(before + 3)
})

test('while the database is away, what is in memory is no answer', async () => {
  const proxy = await startStoreProxy(database.direct)
  const pool = createPool(
    { connectionString: proxy.url },
    { max: 2, applicationName: 'test', log: { warn: () => undefined } },
  )
  const other = await startTestHttp({ database, db: createQueries(pool), now: () => testNow })
  const statuses = async () => (await ask(other.port, metadata)).status
  expect([await statuses(), await statuses()]).toEqual(['200 OK', '200 OK'])
  await proxy.close()
  expect(await statuses()).toBe('503 Service Unavailable')
  // whether it has moved cannot be looked up either, and nothing of the database's own words is told
  for (const path of [
    '/csaf/acme/white/',
    '/csaf/acme/provider-metadata.json.asc',
    '/csaf/%00/white/index.txt',
  ])
    for (const method of ['GET', 'OPTIONS']) {
      const { status, headers, body } = await ask(other.port, path, { method })
      expect([path, status, body.toString()]).toEqual([
        path,
        '503 Service Unavailable',
        'The feed cannot be read at the moment.',
      ])
      expect(headers).toContain('retry-after')
    }
  await other.stop()
  await pool.end()
})

describe('the framework', () => {
  const stopping = new AbortController()
  const servers: Server[] = []
  afterAll(() => servers.forEach((server) => server.close()))
  const port = async () => {
    const server = createServer((_request, response) => response.writeHead(299).end())
    const files = new KeptFiles(database.db, baseUrl)
    const metrics = { requests: { observe: () => undefined } } as unknown as HttpDeps['metrics']
    answerKept(server, {
      files,
      deps: { metrics, log: pino({ level: 'silent' }), stopping: stopping.signal },
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    for (const path of [metadata, document(1)]) await files.find(path.slice('/csaf/'.length))
    return portOf(server)
  }

  test('is not asked for what is in memory', async () => {
    const at = await port()
    expect((await ask(at, metadata)).status).toBe('200 OK')
    expect((await ask(at, metadata, { headers: { 'if-none-match': '*' } })).status).toBe('304 Not Modified')
  })

  test.each<[string, string, { method?: string; headers?: Record<string, string> }]>([
    ['what is not in memory', document(2), {}],
    ['another spelling of what is', metadata.replace('acme', 'ACME'), {}],
    ['another method', metadata, { method: 'HEAD' }],
    ['a coding that is still to be made', document(1), { headers: { 'accept-encoding': 'gzip' } }],
    ['what a proxy says for the first time', metadata, { headers: { 'x-forwarded-proto': 'https' } }],
  ])('is asked for %s', async (_what, path, options) => {
    expect((await ask(await port(), path, options)).status).toMatch(/^299 /)
  })

  test('has everything to itself while the service stops', async () => {
    const at = await port()
    stopping.abort()
    expect((await ask(at, metadata)).status).toMatch(/^299 /)
  })
})
