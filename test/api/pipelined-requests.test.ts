import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createFamilyToken } from '../support/company.ts'
import { call } from '../support/http.ts'
import { UploadScene } from '../support/upload-scene.ts'

/** Requests sent on one connection without waiting for earlier answers (RFC 9112, 9.3.2). */
let scene: UploadScene
beforeAll(async () => {
  scene = await UploadScene.open({ hasParserChildren: true })
})
afterAll(() => scene.close())

type Asking = { socket: Socket; text: () => string; statuses: () => string[] }

async function asking(requests: string): Promise<Asking> {
  const socket = connect(scene.http.port, '127.0.0.1').on('error', () => undefined)
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  await once(socket, 'connect')
  socket.write(requests)
  const text = () => Buffer.concat(chunks).toString()
  return { socket, text, statuses: () => text().match(/HTTP\/1\.1 \d+/g) ?? [] }
}

const ask = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`

/** A request that is answered only when its SBOM has been matched. */
async function heldRequest(): Promise<{ held: string; settle: () => Promise<void> }> {
  const { id } = await scene.uploaded(scene.sbom())
  const { secret } = await createFamilyToken(scene.database.db, scene.company, { kind: 'results' })
  const held = ask(`/api/v1/sboms/${id}?wait=30`, `Authorization: Bearer ${secret}\r\n`)
  const settle = async () => {
    await scene.database.db.updateTable('sbom').set({ status: 'matched' }).where('id', '=', id).execute()
  }
  return { held, settle }
}

it('are answered in their order, a hundred of them', async () => {
  const { held, settle } = await heldRequest()
  const paths = Array.from({ length: 100 }, (_, at) => (at % 2 === 0 ? '/healthz' : '/api/v1/nothing'))
  const { socket, text, statuses } = await asking(held + paths.map((path) => ask(path)).join(''))
  expect(await call(`${scene.http.url}/healthz`)).toMatchObject({ status: 200 })
  expect(text()).toBe('')
  await settle()
  while (statuses().length < 101) await sleep(5)
  const expected = paths.map((path) => `HTTP/1.1 ${path === '/healthz' ? 200 : 404}`)
  expect(statuses()).toEqual(['HTTP/1.1 200', ...expected])
  socket.destroy()
})

it('keep nobody waiting, and all are answered, where fifty connections send a hundred each', async () => {
  const { held, settle } = await heldRequest()
  const many: Asking[] = []
  // the maximum for one connection
  const requests = held + ask('/healthz').repeat(100)
  for (let opened = 0; opened < 50; opened += 1) many.push(await asking(requests))
  expect(await call(`${scene.http.url}/healthz`)).toMatchObject({ status: 200 })
  expect(many.every(({ text }) => text() === '')).toBe(true)
  await settle()
  for (const { statuses } of many) while (statuses().length < 101) await sleep(5)
  for (const { socket } of many) socket.destroy()
})

it('are all answered where their client says that it sends no more', async () => {
  const socket = connect({ port: scene.http.port, host: '127.0.0.1', allowHalfOpen: true })
  socket.end(ask('/healthz').repeat(30))
  let text = ''
  for await (const part of socket) text += String(part)
  expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(30)
})

it('with bodies between them are told apart', async () => {
  const token = await scene.token()
  const bodies = Array.from({ length: 5 }, () => scene.sbom())
  const post = (body: Buffer) =>
    `POST /api/v1/sboms HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Length: ${body.length}\r\n\r\n${body.toString()}`
  const { socket, statuses } = await asking(bodies.map((body) => post(body) + ask('/healthz')).join(''))
  while (statuses().length < 10) await sleep(5)
  expect(statuses()).toEqual(bodies.flatMap(() => ['HTTP/1.1 202', 'HTTP/1.1 200']))
  socket.destroy()
})

it('behind a body whose request asks for another protocol none is read from its middle', async () => {
  const upgrade = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQ\r\n'
  const posts = {
    length: `POST /api/v1/sboms HTTP/1.1\r\nHost: x\r\n${upgrade}Content-Length: 2\r\n\r\n{}`,
    chunks: `POST /api/v1/sboms HTTP/1.1\r\nHost: x\r\n${upgrade}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    expected: `POST /api/v1/sboms HTTP/1.1\r\nHost: x\r\n${upgrade}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}`,
  }
  for (const [name, post] of Object.entries(posts)) {
    const { socket, text, statuses } = await asking(`${post}POST /healthz HTTP/1.1\r\nX: `)
    const closed = once(socket, 'close')
    await sleep(50)
    socket.write(ask('/docs'))
    await closed
    expect(statuses(), name).toEqual(['HTTP/1.1 401'])
    expect(text(), name).toMatch(/\r\nconnection: close\r\n/i)
  }
})
