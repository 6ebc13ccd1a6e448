import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '../../src/contract/limits.ts'
import { testNow } from '../support/clock.ts'
import { createFamilyToken } from '../support/company.ts'
import { UploadScene } from '../support/upload-scene.ts'

/** Clients that send the head and wait for permission to send the body (`Expect: 100-continue`). */
let scene: UploadScene
beforeAll(async () => {
  scene = await UploadScene.open({ hasParserChildren: true })
})
afterAll(() => scene.close())

type Waiting = { socket: Socket; next: (part: string) => Promise<string>; all: () => Promise<string> }

function open(): Waiting {
  const socket = connect(scene.http.port, '127.0.0.1').on('error', () => undefined)
  let text = ''
  let seen = 0
  socket.on('data', (chunk) => (text += chunk.toString('latin1')))
  return {
    socket,
    next: async (part) => {
      while (!text.includes(part, seen)) await Promise.race([once(socket, 'data'), closed(socket)])
      seen = text.indexOf(part, seen) + part.length
      return text
    },
    all: async () => {
      if (!socket.closed) await once(socket, 'close')
      return text
    },
  }
}

async function closed(socket: Socket): Promise<never> {
  await once(socket, 'close')
  throw new Error('the connection was closed before')
}

type Head = { token?: string; path?: string; more?: string[]; length?: number | null }

function head({ token, path = '/api/v1/sboms', more = [], length = 100 }: Head): string {
  const lines = [
    `POST ${path} HTTP/1.1`,
    'Host: x',
    'Expect: 100-continue',
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
    ...(length === null ? [] : [`Content-Length: ${length}`]),
    ...more,
  ]
  return `${lines.join('\r\n')}\r\n\r\n`
}

const goOn = 'HTTP/1.1 100 Continue\r\n\r\n'

it('a body is asked for once, when its turn has come, and the connection goes on', async () => {
  const body = scene.sbom()
  const { socket, next } = open()
  const token = await scene.token()
  for (const sent of [body, gzipSync(body)]) {
    socket.write(head({ token, length: sent.length }))
    await next(goOn)
    socket.write(sent)
    await next('"duplicate":')
  }
  const text = await next('}')
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(
    ['100', '202', '100', '200'].map((status) => `HTTP/1.1 ${status}`),
  )
  socket.destroy()
})

it('in chunks too', async () => {
  const body = scene.sbom()
  const { socket, next } = open()
  socket.write(head({ token: await scene.token(), length: null, more: ['Transfer-Encoding: chunked'] }))
  await next(goOn)
  socket.write(`${body.length.toString(16)}\r\n${body.toString()}\r\n0\r\n\r\n`)
  expect(await next('"duplicate":false')).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 202 /)
  socket.destroy()
})

it('nothing is asked for where there is no body', async () => {
  const { socket, next } = open()
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n\r\n')
  expect(await next('"status":"ok"')).toMatch(/^HTTP\/1\.1 200 /)
  socket.destroy()
})

// Each connection stays open for the seconds a body may take: run them in parallel.
describe.concurrent('who is refused before the body gets the refusal alone', () => {
  const rows: [what: string, status: number, request: () => Promise<Head>][] = [
    ['no token', 401, async () => Promise.resolve({})],
    ['an unknown token', 401, async () => Promise.resolve({ token: `svc_${'a'.repeat(43)}` })],
    ['a length over the limit', 413, async () => ({ token: await scene.token(), length: 5_000_000 })],
    [
      'VEX over the limit',
      413,
      async () => ({ token: await scene.token(), path: '/api/v1/vex', length: 4_194_305 }),
    ],
    [
      'a notification over the limit',
      413,
      async () => ({
        token: await scene.token(),
        path: '/api/v1/connectors/dependency-track',
        length: 4_194_305,
      }),
    ],
    [
      'a notification without token',
      401,
      async () => Promise.resolve({ path: '/api/v1/connectors/dependency-track' }),
    ],
    ['a destination without token', 401, async () => Promise.resolve({ path: '/api/v1/alert-destinations' })],
    ['an unknown address', 404, async () => Promise.resolve({ path: '/api/v1/nothing' })],
    ['another method', 405, async () => Promise.resolve({ path: '/csaf/acme/white/index.txt' })],
    [
      'nobody who is signed in',
      401,
      async () => Promise.resolve({ path: '/api/app/workspaces/acme/families' }),
    ],
  ]
  it.each(rows)('%s: %i', async (_what, status, request) => {
    const { socket, all } = open()
    socket.write(head(await request()))
    const text = await all()
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*connection: close`, 'i'))
    expect(text).not.toContain('100 Continue')
  })

  it('over the hourly limit: 429', async () => {
    const { id, secret: token } = await createFamilyToken(scene.database.db, scene.company)
    const use = { token_id: id, last_used_at: testNow, window_started_at: testNow }
    await scene.database.db
      .insertInto('token_use')
      .values({ ...use, window_requests: limits.requestsPerWindow })
      .execute()
    const { socket, all } = open()
    socket.write(head({ token }))
    expect(await all()).toMatch(/^HTTP\/1\.1 429 /)
  })
})

it('behind another request it is asked for after the answer to that one', async () => {
  const body = scene.sbom()
  const { socket, next } = open()
  const token = await scene.token()
  socket.write(`GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n${head({ token, length: body.length })}`)
  const text = await next(goOn)
  expect(text.indexOf('"status":"ok"')).toBeLessThan(text.indexOf(goOn))
  expect(text.indexOf('"status":"ok"')).toBeGreaterThan(0)
  socket.write(body)
  await next('HTTP/1.1 202')
  socket.destroy()
})
