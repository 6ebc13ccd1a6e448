import { spawnSync } from 'node:child_process'
import { closeSync, open, openSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { BoundedClient } from '../../src/platform/postgres/silence/bounded-client.ts'
import { portOf } from '../support/port-of.ts'

/** A message of the server: its kind, and its body after the length. */
function message(kind: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(kind), length, body])
}

function authentication(what: number, text = ''): Buffer {
  const code = Buffer.alloc(4)
  code.writeInt32BE(what)
  return message('R', Buffer.concat([code, Buffer.from(text)]))
}

/** A server that answers the messages of a session, counted from 0, by `answer`. */
async function listen(answer: (socket: Socket, turn: number, said: Buffer) => void) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    let turn = 0
    socket.on('data', (said: Buffer) => answer(socket, turn++, said))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { port: portOf(server), close }
}

/** Keeps what Node computes aside waiting, as on a busy machine: reading from a pipe that nobody writes to takes each of its four threads. */
async function busyThreads(): Promise<{ release: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'sbom-monitor-test-'))
  const pipe = join(folder, 'pipe')
  expect(spawnSync('mkfifo', [pipe]).status).toBe(0)
  const opened = Array.from(
    { length: Number(process.env['UV_THREADPOOL_SIZE'] ?? 4) },
    () =>
      new Promise<void>((resolve, reject) => {
        open(pipe, 'r', (error, file) => {
          if (error === null) closeSync(file)
          if (error === null) resolve()
          else reject(error)
        })
      }),
  )
  return {
    release: async () => {
      const writing = openSync(pipe, 'r+')
      await Promise.all(opened)
      closeSync(writing)
      await rm(folder, { recursive: true })
    },
  }
}

it('what was computed for a host that took too long is not sent to the next one', async () => {
  let threads: Awaited<ReturnType<typeof busyThreads>> | null = null
  const slow = await listen((socket, turn, said) => {
    if (turn === 0) socket.write(authentication(10, 'SCRAM-SHA-256\0\0'))
    if (turn !== 1) return
    const nonce = /r=(.*)$/.exec(said.toString())?.[1] ?? ''
    void busyThreads().then((busy) => {
      threads = busy
      socket.write(authentication(11, `r=${nonce}more,s=c2FsdA==,i=4096`))
    })
  })
  let heard = 0
  const next = await listen((socket, turn) => {
    heard += 1
    if (turn > 0) return
    void (async () => {
      await threads?.release()
      await sleep(200)
      socket.write(Buffer.concat([authentication(0), message('Z', Buffer.from('I'))]))
    })()
  })
  const client = new BoundedClient({
    connectionString: `postgresql://role:password@127.0.0.1:${slow.port},127.0.0.1:${next.port}/d?sslmode=disable&connect_timeout=2`,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    expect(client).toMatchObject({ port: next.port })
    expect(heard).toBe(1)
  } finally {
    await client.end()
    slow.close()
    next.close()
  }
})
