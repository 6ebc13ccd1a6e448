import { once } from 'node:events'
import { connect, createServer as createNetServer } from 'node:net'
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorCodes, type ErrorCode } from '../../src/contract/errors.ts'
import { answerClientError } from '../../src/http/broken-requests.ts'
import { createQueries, createPool } from '../../src/platform/postgres/pool.ts'
import type { Tables } from '../../src/database/tables.ts'
import { callAsSpelt } from '../support/call-as-spelt.ts'
import { call, startTestHttp, type TestHttp } from '../support/http.ts'
import { UploadScene } from '../support/upload-scene.ts'
import { testNow } from '../support/clock.ts'
import { sendAll, sendRaw, twentyParts } from './raw-requests.ts'
import { textLike } from '../support/expected.ts'
import { portOf } from '../support/port-of.ts'
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

describe('requests that are none', () => {
  type Row = [name: string, bytes: string, status: number, error: ErrorCode]
  const rows: Row[] = [
    ['broken syntax', 'nonsense\r\n\r\n', 400, 'invalid_request'],
    [
      'headers over 16 KB',
      `GET /api/x HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    ['no Host', 'GET /api/v1/x HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'invalid_request'],
    [
      'two Hosts',
      'GET /api/v1/x HTTP/1.1\r\nHost: x\r\nhost: y\r\nConnection: close\r\n\r\n',
      400,
      'invalid_request',
    ],
    [
      'an unknown expectation',
      'GET /api/v1/x HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nConnection: close\r\n\r\n',
      404,
      'not_found',
    ],
    [
      'a tunnel',
      'CONNECT monitor.example:443 HTTP/1.1\r\nHost: monitor.example:443\r\n\r\n',
      405,
      'method_not_allowed',
    ],
    ...['gzip, chunked', 'identity, chunked', 'chunked, chunked'].map((coding): Row => [
      `a transfer coding other than chunked: ${coding}`,
      `POST /api/v1/sboms HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: ${coding}\r\nConnection: close\r\n\r\n0\r\n\r\n`,
      400,
      'invalid_request',
    ]),
    [
      'two lengths',
      'POST /api/v1/x HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx',
      400,
      'invalid_request',
    ],
  ]
  it.each(rows)('%s', async (_name, bytes, status, error) => {
    const text = await sendRaw(http.port, bytes)
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4))).toMatchObject({ error })
  })

  it('bytes behind a request that are none do not take its answer away', async () => {
    const body = scene.sbom().toString()
    const lines = [
      'POST /api/v1/sboms HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${await scene.token()}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
    ]
    const text = await sendRaw(http.port, `${lines.join('\r\n')}\r\n\r\n${body}nonsense\r\n\r\n`)
    expect(text).toMatch(/^HTTP\/1\.1 202 /)
    expect(text).not.toContain('invalid_request')
  })

  it('a tunnel is refused after the answers before it, and ends the connection', async () => {
    const ask = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'
    const socket = connect(http.port, '127.0.0.1')
    let text = ''
    socket.on('data', (chunk) => (text += chunk.toString()))
    socket.write(`${ask}${ask}CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n${ask}`)
    await once(socket, 'close')
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 405'])
  })

  it('a body in broken chunks is refused itself', async () => {
    const lines = [
      'POST /api/v1/sboms HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${await scene.token()}`,
      'Transfer-Encoding: chunked',
    ]
    const text = await sendRaw(http.port, `${lines.join('\r\n')}\r\n\r\nzz\r\n{}`)
    expect(text).toMatch(/^HTTP\/1\.1 400 [\s\S]*"error":"invalid_request"/)
  })

  it('what is no HTTP is told why', async () => {
    const text = await sendRaw(http.port, 'GET /api/v1/x HTTP/1.1\r\nHost: x\r\nContent-Length: +5\r\n\r\n')
    expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4))).toEqual({
      error: 'invalid_request',
      message: 'The request is not valid HTTP.',
      detail: textLike(/^Invalid character in Content-Length, after \d+ bytes$/),
      fields: {},
    })
  })

  it.each([
    ['a page', '/docs', '', 'The request is not valid HTTP: expected one Host header, found none.'],
    [
      'the API',
      '/api/v1/x',
      'Host: x\r\nHost: y\r\n',
      'The request is not valid HTTP: expected one Host header, found 2.',
    ],
    [
      'a page',
      '/docs',
      'Host: x\r\nTransfer-Encoding: gzip, chunked\r\n',
      'The transfer coding of the request is not read: expected "chunked", found "gzip, chunked".',
    ],
  ])('%s says what is wrong with the request, not with fields', async (_what, path, lines, words) => {
    const text = await sendRaw(
      http.port,
      `POST ${path} HTTP/1.1\r\n${lines}Connection: close\r\n\r\n0\r\n\r\n`,
    )
    const body = text.slice(text.indexOf('\r\n\r\n') + 4)
    expect(body).toBe(
      path.startsWith('/api')
        ? JSON.stringify({ error: 'invalid_request', message: words, fields: {} })
        : words,
    )
  })

  it('a request that never finishes is told so: 408 timeout', async () => {
    const server = createNetServer((socket) =>
      answerClientError(Object.assign(new Error('slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket),
    ).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const text = await sendRaw(portOf(server), 'GET')
    server.close()
    expect(text).toMatch(/^HTTP\/1\.1 408 [\s\S]*"error":"timeout"/)
  })
})

describe('bodies that are too large', () => {
  const head = (token: string, length: string) =>
    `POST /api/v1/sboms HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n${length}\r\n\r\n`

  it('an announced length is refused without the body', async () => {
    const text = await sendRaw(http.port, head(await scene.token(), 'Content-Length: 5000000'))
    expect(text).toMatch(/^HTTP\/1\.1 413 [\s\S]*connection: close[\s\S]*"error":"too_large"/i)
  })

  it('the client reads the answer although it keeps sending', async () => {
    const answer = await sendAll(http.port, head(await scene.token(), `Content-Length: ${twentyParts}`))
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
  })

  it('without a length the bytes decide', async () => {
    const part = `100000\r\n${' '.repeat(0x100000)}\r\n`
    const text = await sendRaw(
      http.port,
      head(await scene.token(), 'Transfer-Encoding: chunked') + part.repeat(5),
    )
    expect(text).toMatch(/^HTTP\/1\.1 413 /)
  })
})

describe('a body that nobody reads', () => {
  it.each([
    ['401', 'POST /api/v1/sboms HTTP/1.1\r\nAuthorization: Bearer svc_unknown'],
    ['401', 'POST /api/v1/sboms HTTP/1.0\r\nAuthorization: Bearer svc_unknown'],
    ['401', 'POST /api/v1/alert-destinations HTTP/1.1'],
    ['404', 'POST /api/v1/nothing HTTP/1.1'],
    ['404', 'POST /nothing HTTP/1.1'],
    ['405', 'PUT /csaf/acme/white/index.txt HTTP/1.1'],
  ])('%s is read by a client that wants the connection closed: %s', async (status, request) => {
    const lines = [request, 'Host: x', 'Connection: close', `Content-Length: ${twentyParts}`]
    expect(await sendAll(http.port, `${lines.join('\r\n')}\r\n\r\n`)).toMatch(
      new RegExp(`^HTTP/1.1 ${status} `),
    )
  })
})

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
    expect(await call(`${http.url}/healthz`)).toMatchObject({ status: 200, body: { status: 'ok' } })
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
    expect(answer).toMatchObject({ status: 200 })
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
