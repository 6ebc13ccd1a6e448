import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createFamilyToken } from '../support/company.ts'
import { call } from '../support/http.ts'
import { UploadScene } from '../support/upload-scene.ts'

/** Requests on one connection that are sent without waiting for the answers before (RFC 9112, 9.3.2). */
let scene: UploadScene
beforeAll(async () => {
  scene = await UploadScene.open()
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

/** A request that is answered when its SBOM has been matched. */
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

it('that wait are bounded on all connections together: the longest queues end, the short ones are answered', async () => {
  const { held, settle } = await heldRequest()
  const modest = await asking(held + ask('/healthz').repeat(3))
  const greedy: Asking[] = []
  const ended = () => greedy.filter(({ socket }) => socket.closed)
  // as many as one connection may have
  const requests = held + ask('/healthz').repeat(100)
  for (let opened = 0; opened < 50; opened += 1) greedy.push(await asking(requests))
  while (ended().length < 11) await sleep(5)
  expect(await call(`${scene.http.url}/healthz`)).toMatchObject({ status: 200 })
  expect(ended().every(({ text }) => text() === '')).toBe(true)
  await settle()
  while (modest.statuses().length < 4) await sleep(5)
  const answered = greedy.filter(({ socket }) => !socket.closed)
  expect(answered.length).toBeGreaterThan(30)
  for (const { statuses } of answered) while (statuses().length < 101) await sleep(5)
  for (const { socket } of [modest, ...greedy]) socket.destroy()
})
