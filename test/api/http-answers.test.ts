import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorCodes, type ErrorCode } from '../../src/contract/errors.ts'
import { createQueries, createPool } from '../../src/platform/postgres/pool.ts'
import type { Tables } from '../../src/database/tables.ts'
import { callAsSpelt } from '../support/call-as-spelt.ts'
import { call, startTestHttp, type TestHttp } from '../support/http.ts'
import { UploadScene } from '../support/upload-scene.ts'
import { testNow } from '../support/clock.ts'
import { sendRaw } from './raw-requests.ts'
import { textLike } from '../support/expected.ts'
import { objectIn } from '../support/read-as.ts'

const metricsToken = 'metrics-secret'
const logged: string[] = []
let scene: UploadScene
let http: TestHttp

beforeAll(async () => {
  scene = await UploadScene.open({ hasParserChildren: true })
  const stream = new PassThrough().on('data', (chunk: Buffer) => logged.push(chunk.toString()))
  http = await startTestHttp({
    database: scene.database,
    now: () => testNow,
    log: pino(stream),
    metricsToken,
    hasParserChildren: true,
  })
})

afterAll(async () => {
  await http.stop()
  await scene.close()
})

describe('addresses and methods', () => {
  const id = '00000000-0000-4000-8000-000000000000'
  type Row = [
    method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS',
    path: string,
    error: ErrorCode,
    allow?: string,
  ]
  const rows: Row[] = [
    ['GET', '/api', 'not_found'],
    ['GET', '/api/v1/nothing', 'not_found'],
    ['POST', '/api/v1/nothing', 'not_found'],
    ['OPTIONS', '/api/v1/nothing', 'not_found'],
    ['POST', '/api/v1/sboms/', 'not_found'],
    ['POST', '/api/v1/SBOMS', 'not_found'],
    ['GET', '/api/v1/%zz', 'not_found'],
    ['GET', `/api/v1/sboms/${'a'.repeat(5_000)}`, 'unauthorized'],
    ['GET', '/api/v1/sboms', 'method_not_allowed', 'OPTIONS, POST'],
    ['PUT', '/api/v1/sboms', 'method_not_allowed', 'OPTIONS, POST'],
    ['DELETE', `/api/v1/sboms/${id}`, 'method_not_allowed', 'GET, HEAD, OPTIONS'],
  ]
  it.each([
    ['PUT', '/api/v1/bom'],
    ['POST', '/api/v1/bom'],
    ['GET', '/api/v1/bom/token/x'],
    ['GET', '/api/v1/project/lookup?name=shop&version=1.2.3'],
    ['PUT', '/api/v1/project'],
    ['GET', '/api/version'],
    ['GET', '/api/v1/team/self'],
    ['GET', '/api/v1/event/token/x'],
    ['GET', '/api/v1/finding/project/x'],
    ['POST', '//api/v1/bom'],
    ['POST', '/api/api/v1/bom'],
    ['GET', '/api/api/version'],
    ['POST', '/api/v1/api/v1/bom'],
    ['PUT', '/api/v1/sboms/api/v1/bom'],
    ['PUT', '/api/v1/connectors/dependency-track/api/v1/bom'],
    ['PUT', '/api/v1/connectors/dependency-track//api/v1/bom'],
  ] as const)('%s %s says where an SBOM is to be sent', async (method, path) => {
    const answer = await call(http.url + path, { method })
    expect(answer.status).toBe(404)
    expect(answer.body).toEqual({
      error: 'not_found',
      message: 'There is nothing at this address.',
      detail: 'send the SBOM itself to POST /api/v1/sboms',
    })
  })

  it('the status line says it to clients that print nothing else', async () => {
    const text = await sendRaw(
      http.port,
      'PUT /api/v1/bom HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}',
    )
    expect(text).toMatch(/^HTTP\/1\.1 404 Not Found: send the SBOM itself to POST \/api\/v1\/sboms\r\n/)
  })

  it.each([
    ['POST', '//api/v1/sboms'],
    ['POST', '/api//v1/sboms?version=1'],
    ['PUT', '//api/v1//vex'],
    ['GET', `//api/v1/sboms/${id}`],
  ] as const)('%s %s says that there is a slash too many', async (method, path) => {
    const answer = await call(http.url + path, { method })
    expect(answer.status).toBe(404)
    expect(answer.body).toMatchObject({ error: 'not_found', detail: 'this address has no double slash' })
  })

  it.each([
    ['PUT', '/api/v1/vex', 'expected POST, found PUT'],
    ['DELETE', `/api/v1/sboms/${id}`, 'expected GET, found DELETE'],
    ['PUT', '/api/v1/alert-destinations', 'expected GET or POST, found PUT'],
  ] as const)('%s %s says which method is expected', async (method, path, detail) => {
    expect((await call(http.url + path, { method })).body).toEqual({
      error: 'method_not_allowed',
      message: 'This address does not support the method.',
      detail,
    })
  })

  it.each([
    ['POST', '/api/v1/sboms/'],
    ['POST', '/api/v1/sboms/?version=1'],
    ['POST', '/api/v1/vex/'],
    ['GET', `/api/v1/sboms/${id}/`],
    ['PUT', '/api/v1/vex/'],
  ] as const)('%s %s says that the slash is wrong', async (method, path) => {
    const answer = await call(http.url + path, { method })
    expect(answer.status).toBe(404)
    expect(answer.body).toMatchObject({
      error: 'not_found',
      detail: 'this address has no slash at its end',
    })
  })

  it.each([
    '/api/v1/bomb',
    '/api/v1/bomb/',
    '/api/v1/projects',
    '/api/versions',
    '/api/v1/x/bom',
    '/api/v1/x/version',
    '//api/v1/x',
  ])('GET %s says nothing of it', async (path) => {
    const { body } = await call(http.url + path)
    expect(body).toEqual({ error: 'not_found', message: 'There is nothing at this address.' })
  })

  it.each(rows)('%s %s: %s', async (method, path, error, allow) => {
    const answer = await call(http.url + path, { method, ...(method === 'POST' ? { body: '{"junk"' } : {}) })
    expect(answer).toMatchObject({ status: errorCodes[error].status, body: { error } })
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(sorted(answer.headers['allow'])).toBe(allow)
  })

  it('a method nobody knows is 405 on a known address', async () => {
    const text = await sendRaw(
      http.port,
      'PROPFIND /api/v1/sboms HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    )
    expect(text).toMatch(/^HTTP\/1\.1 405 [\s\S]*"error":"method_not_allowed"/)
  })

  it('OPTIONS says what an address supports', async () => {
    const answer = await call(`${http.url}/api/v1/sboms`, { method: 'OPTIONS' })
    expect(answer).toMatchObject({ status: 204, body: '' })
    expect(sorted(answer.headers['allow'])).toBe('OPTIONS, POST')
  })

  it('HEAD answers as GET without a body', async () => {
    expect(await call(`${http.url}/healthz`, { method: 'HEAD' })).toMatchObject({ status: 200, body: '' })
  })

  describe('a request that names the whole address, as to a proxy, is answered like one that names the path', () => {
    const feed = () => `/csaf/${scene.company.slug}`
    const paths: [string, () => string][] = [
      ['a page', () => '/docs'],
      ['a page that is missing', () => '/docs/nothing'],
      ['nothing', () => '/'],
      ['no address of the interface', () => '/api/v1/nothing'],
      ['one that cannot be decoded', () => '/api/v1/%zz'],
      ['one for other methods', () => '/api/v1/sboms?version=1'],
      ['metadata of a feed', () => `${feed()}/provider-metadata.json`],
      ['an index of a feed, with a query', () => `${feed()}/white/index.txt?a=b`],
      ['no file of a feed', () => `${feed()}/white/%`],
      ['a page for operators', () => '/operator'],
    ]
    it.each(paths)('%s', async (_what, path) => {
      const expected = await asked(path())
      for (const base of [http.url, 'HTTP://Monitor.example:80', 'https://[::1]:8443'])
        expect(await asked(base + path())).toEqual(expected)
    })

    it('without a path', async () => {
      expect(await asked('http://monitor.example')).toEqual(await asked('/'))
      expect(await asked('http://monitor.example?a=http://x/docs')).toEqual(await asked('/'))
    })

    it('and nothing else is taken for one', async () => {
      for (const path of ['ftp://x/docs', '//x/docs', '/http://x/docs', 'http:///docs'])
        expect(await asked(path), path).toMatchObject({ status: 404 })
    })
  })

  describe('an address with characters that are percent-encoded without need is answered like the plain one', () => {
    const addresses: [path: string, plain: string][] = [
      ['/%61pi/v1/nothing', '/api/v1/nothing'],
      ['/%61pi', '/api'],
      ['/ap%69/app/session', '/api/app/session'],
      ['/api/v1/%73boms', '/api/v1/sboms'],
      ['/api/%761/sboms?version=%61', '/api/v1/sboms?version=a'],
      ['/api/v1%2Dx', '/api/v1-x'],
      ['/%64ocs/n%6Fthing', '/docs/nothing'],
      ['/%72eadyz', '/readyz'],
      ['/%6fperator/x', '/operator/x'],
    ]
    it.each(addresses)('%s', async (path, plain) => {
      expect(await asked(path)).toEqual(await asked(plain))
    })

    it('but nothing is decoded that would mean something else', async () => {
      for (const path of ['/api%2fv1/sboms', '/%2561pi/v1/sboms', '/healthz%00', '/healthz%3fa'])
        expect(await asked(path), path).toMatchObject({ status: 404 })
    })
  })

  it.each([
    '/docs/%c0%af',
    '/disclose/acme/%ff',
    '/app/%zz',
    '/api/app/workspaces/%e0%80',
    '/%',
    '/csaf/acme/%',
  ])('%s, which cannot be decoded, is answered with the headers of every answer', async (path) => {
    const { headers } = await callAsSpelt(http.url, path)
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-request-id': textLike(/^.{16}$/),
    })
  })

  /** The answer without the parts that differ per request. */
  async function asked(target: string): Promise<unknown> {
    const { status, headers, body } = await callAsSpelt(http.url, target)
    return { status, headers: { ...headers, 'x-request-id': '', date: '' }, body }
  }

  it('NUL in a parameter names nothing; the public interface looks at the token first', async () => {
    const ofPages = await call(`${http.url}/api/app/workspaces/%00/delivery-problems`, { token: 'x' })
    expect(ofPages).toMatchObject({ status: 404, body: { error: 'not_found' } })
    const answer = await call(`${http.url}/api/v1/sboms/%00`, { token: 'x' })
    expect(answer).toMatchObject({ status: 401, body: { error: 'unauthorized' } })
  })

  it.each(['/csaf/acme/white/', '/nothing', '/app/assets/', '/app/assets/nothing/'])(
    '%s outside the API is text',
    async (path) => {
      const answer = await call(http.url + path)
      expect(answer).toMatchObject({ status: 404, body: 'Not found' })
      expect(answer.headers).toMatchObject({
        'content-type': 'text/plain; charset=utf-8',
        'cache-control': 'no-store',
      })
    },
  )

  it('every answer has an id of its own and is neither sniffed nor cached', async () => {
    const [one, two] = await Promise.all([call(`${http.url}/api/v1/x`), call(`${http.url}/api/v1/x`)])
    expect(one.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })
    expect(one.headers['x-request-id']).not.toBe(two.headers['x-request-id'])
  })
})

function sorted(header: string | string[] | undefined): string | undefined {
  return header === undefined ? undefined : String(header).split(', ').sort().join(', ')
}

describe('when the store is away', () => {
  it('500 internal with Retry-After and nothing of the cause', async () => {
    const pool = createPool(
      { host: '127.0.0.1', port: 1, database: 'x' },
      { max: 1, applicationName: 'test', log: console },
    )
    const away = await startTestHttp({
      database: scene.database,
      now: () => testNow,
      db: createQueries<Tables>(pool),
      hasParserChildren: true,
    })
    const answer = await call(`${away.url}/api/v1/sboms`, {
      method: 'POST',
      token: await scene.token(),
      body: '{}',
    })
    await away.stop()
    expect(answer).toMatchObject({
      status: 500,
      body: { error: 'internal' },
      headers: { 'retry-after': '5' },
    })
    expect(JSON.stringify(answer.body)).not.toContain('ECONN')
  })
})

describe('operation', () => {
  it('is healthy and ready', async () => {
    expect(await call(`${http.url}/healthz`)).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'no-store' },
      body: { status: 'ok' },
    })
    while (!http.parser.state().isReady) await sleep(5)
    expect(await call(`${http.url}/readyz`)).toMatchObject({
      status: 200,
      body: { status: 'ready', store: true, writable: true, parser: true },
    })
  })

  it('shows metrics to whoever has the token', async () => {
    expect(await call(`${http.url}/metrics`)).toMatchObject({ status: 401 })
    expect(await call(`${http.url}/metrics`, { token: 'wrong' })).toMatchObject({ status: 401 })
    const answer = await call(`${http.url}/metrics`, { token: metricsToken })
    expect(answer).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
    expect(answer.body).toContain(
      'sbom_monitor_http_request_duration_seconds_count{method="GET",route="/healthz",status="200"}',
    )
    expect(answer.body).toContain('sbom_monitor_parser_waiting_files 0')
    expect(answer.body).toContain('nodejs_eventloop_lag_seconds')
  })

  it('has no metrics where no token is configured', async () => {
    expect(await call(`${scene.http.url}/metrics`, { token: metricsToken })).toMatchObject({ status: 404 })
  })

  it('logs requests as JSON lines without credentials or queries', async () => {
    const token = await scene.token()
    await call(`${http.url}/api/v1/sboms?access_token=${token}`, {
      method: 'POST',
      token,
      body: scene.sbom(),
    })
    await call(`${http.url}/api/v1/sboms`, { method: 'POST', headers: { 'x-api-key': token }, body: '' })
    const text = logged.join('')
    const lines = text
      .trim()
      .split('\n')
      .map((line) => objectIn(line))
    expect(lines).toContainEqual(
      expect.objectContaining({
        method: 'POST',
        path: '/api/v1/sboms',
        status: 202,
        workspaceId: scene.company.workspaceId,
        tokenId: textLike(/^[0-9a-f-]{36}$/),
      }),
    )
    expect(text).not.toContain(token)
  })
})
