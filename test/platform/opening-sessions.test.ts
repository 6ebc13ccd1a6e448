import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { listenTo } from '../../src/platform/postgres/listen.ts'
import { createPool } from '../../src/platform/postgres/pool.ts'
import { openSession } from '../../src/platform/postgres/session.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { portOf } from '../support/port-of.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const applicationName = 'test opening'
const log = { warn: () => undefined }

/** Takes every connection and says nothing. */
async function silentServer() {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.resume()
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { host: `127.0.0.1:${portOf(server)}`, sockets, close: () => server.close() }
}

it('a server that answers while the process is busy itself is no silent one', async () => {
  const options = { applicationName, openTimeoutMs: 4_000 }
  const places = [database.direct, { connectionString: database.directUrl }]
  const opening = Promise.all(places.map((place) => openSession(place, options)))
  await new Promise((resolve) => setImmediate(resolve))
  // As a process that reads its program, or has no turn on a busy machine.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5_000)
  for (const { client } of await opening) await client.end()
})

it.each([
  ['one host', 1],
  ['two hosts', 2],
])('a session that %s keeps waiting is given up at once when told to stop', async (_, count) => {
  const servers = await Promise.all(Array.from({ length: count }, silentServer))
  const stopping = new AbortController()
  const connectionString = `postgresql://role@${servers.map(({ host }) => host).join()}/d?sslmode=disable`
  const opening = openSession(
    { connectionString, signal: stopping.signal },
    { applicationName, openTimeoutMs: 600_000 },
  ).catch((error: unknown) => error)
  await expect.poll(() => servers[0]?.sockets.size).toBe(1)
  stopping.abort()
  expect(await opening).toBe(stopping.signal.reason)
  await expect.poll(() => servers.flatMap(({ sockets }) => [...sockets])).toEqual([])
  for (const { close } of servers) close()
})

/** AuthenticationOk, ReadyForQuery, and the end of the session by an operator, in one packet (PostgreSQL, 55.7 "Message Formats"). */
const admittedAndEnded = Buffer.concat([
  message('R', Buffer.alloc(4)),
  message('Z', Buffer.from('I')),
  message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0')),
])

function message(kind: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length + length.length)
  return Buffer.concat([Buffer.from(kind), length, body])
}

it.each([
  ['of its own', {}],
  ['lent by a pooler', { pooler: 'transaction' }],
] as const)('a session %s that ends as it begins is told to who asked, and opened again', async (_, lent) => {
  let begun = 0
  const server = createServer((socket) => {
    begun += 1
    socket.on('error', () => undefined).once('data', () => socket.end(admittedAndEnded))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const connectionString = `postgresql://role@127.0.0.1:${portOf(server)}/d?sslmode=disable`
  const pool = createPool({ connectionString, ...lent }, { max: 1, applicationName, log })
  try {
    // Without a listener, what the session reports would end the process.
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await expect(pool.query('select 1')).rejects.toThrow('terminating connection')
      expect(begun).toBe(attempt)
    }
  } finally {
    await pool.end()
    server.close()
  }
})

it('who listens stops at once while the server keeps it waiting', async () => {
  const { host, sockets, close } = await silentServer()
  // Its limits never come.
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  try {
    const connectionString = `postgresql://role@${host}/d?sslmode=disable`
    const warned: unknown[] = []
    const log = { warn: (...words: unknown[]) => warned.push(words) }
    const listener = listenTo({ connectionString }, { channels: { test: () => undefined }, log })
    while (sockets.size === 0) await new Promise((resolve) => setImmediate(resolve))
    await listener.stop()
    expect(warned).toEqual([])
  } finally {
    vi.useRealTimers()
    close()
  }
})
