import { once } from 'node:events'
import { connect, createServer as createNetServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ErrorCode } from '../../src/contract/errors.ts'
import { answerClientError } from '../../src/http/broken-requests.ts'
import { textLike } from '../support/expected.ts'
import { portOf } from '../support/port-of.ts'
import { UploadScene } from '../support/upload-scene.ts'
import { sendAll, sendRaw, twentyParts } from './raw-requests.ts'

let scene: UploadScene

beforeAll(async () => {
  scene = await UploadScene.open({ hasParserChildren: true })
})
afterAll(() => scene.close())

describe('requests that are not valid', () => {
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
    const text = await sendRaw(scene.http.port, bytes)
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4))).toMatchObject({ error })
  })

  it('invalid bytes behind a request do not take its answer away', async () => {
    const body = scene.sbom().toString()
    const lines = [
      'POST /api/v1/sboms HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${await scene.token()}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
    ]
    const text = await sendRaw(scene.http.port, `${lines.join('\r\n')}\r\n\r\n${body}nonsense\r\n\r\n`)
    expect(text).toMatch(/^HTTP\/1\.1 202 /)
    expect(text).not.toContain('invalid_request')
  })

  it('a tunnel is refused after the answers before it, and ends the connection', async () => {
    const ask = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'
    const socket = connect(scene.http.port, '127.0.0.1')
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
    const text = await sendRaw(scene.http.port, `${lines.join('\r\n')}\r\n\r\nzz\r\n{}`)
    expect(text).toMatch(/^HTTP\/1\.1 400 [\s\S]*"error":"invalid_request"/)
  })

  it.each([
    ['200', 'GET /healthz HTTP/1.1'],
    ['401', 'POST /api/v1/sboms HTTP/1.1'],
    ['404', 'POST /nothing HTTP/1.1'],
  ])(
    'a request that was answered %s before its body broke has no second answer: %s',
    async (status, line) => {
      const socket = connect(scene.http.port, '127.0.0.1')
      let text = ''
      socket.on('data', (chunk) => (text += chunk.toString()))
      const closed = once(socket, 'close')
      socket.write(`${line}\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n`)
      await once(socket, 'data')
      await sleep(200)
      socket.write('zz\r\n')
      await closed
      expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual([`HTTP/1.1 ${status}`])
    },
  )

  it('bytes that are not HTTP are told why', async () => {
    const text = await sendRaw(
      scene.http.port,
      'GET /api/v1/x HTTP/1.1\r\nHost: x\r\nContent-Length: +5\r\n\r\n',
    )
    expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4))).toEqual({
      error: 'invalid_request',
      message: 'The request is not valid HTTP.',
      detail: textLike(/^Invalid character in Content-Length, after \d+ bytes$/),
      fields: {},
    })
  })

  it('the answer to what is no HTTP is not sniffed', async () => {
    const text = await sendRaw(scene.http.port, 'GET / HTTP/1.1\r\nHost : x\r\n\r\n')
    expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect(text).toMatch(/\r\nx-content-type-options: nosniff\r\n/)
  })

  it.each(['a b', 'a/b', 'u@a', '<x>', 'a:b', 'a:1:2', '[::1', '[::g]', 'a,b', 'a?b', 'a\\b', 'a"b', 'é'])(
    'a Host header that is no host is refused: %s',
    async (host) => {
      const text = await sendRaw(
        scene.http.port,
        Buffer.from(`GET /api/v1/x HTTP/1.1\r\nHost: ${host}\r\n\r\n`, 'latin1'),
      )
      expect(text).toMatch(/^HTTP\/1\.1 400 [\s\S]*"message":"The request is not valid HTTP: expected a host/)
    },
  )

  it.each([
    '',
    'a.example',
    'a_b.example:8443',
    '127.0.0.1:1',
    '[::1]',
    '[fe80::1%25eth0]:80',
    'xn--e1afmkfd.example.',
    'a:',
  ])('one that is a host is not: %s', async (host) => {
    const text = await sendRaw(scene.http.port, `GET /api/v1/x HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
    expect(text).toMatch(/^HTTP\/1\.1 404 /)
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
      scene.http.port,
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
    const text = await sendRaw(scene.http.port, head(await scene.token(), 'Content-Length: 5000000'))
    expect(text).toMatch(/^HTTP\/1\.1 413 [\s\S]*connection: close[\s\S]*"error":"too_large"/i)
  })

  it('the client reads the answer although it keeps sending', async () => {
    const answer = await sendAll(scene.http.port, head(await scene.token(), `Content-Length: ${twentyParts}`))
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
  })

  it('without a length the bytes decide', async () => {
    const part = `100000\r\n${' '.repeat(0x100000)}\r\n`
    const text = await sendRaw(
      scene.http.port,
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
    expect(await sendAll(scene.http.port, `${lines.join('\r\n')}\r\n\r\n`)).toMatch(
      new RegExp(`^HTTP/1.1 ${status} `),
    )
  })
})
