import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'
import { percentile } from '../../../bench/report.ts'
import type { Outcome } from './outcome.ts'

/** A client that starts a request and does not finish it. */
export class SlowClient {
  readonly socket: Socket
  readonly closed: Promise<void>
  readonly #chunks: Buffer[] = []
  #isClosed = false

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1')
    this.socket.on('data', (chunk) => this.#chunks.push(chunk)).on('error', () => undefined)
    this.closed = once(this.socket, 'close').then(() => {
      this.#isClosed = true
    })
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** The server's answer so far. */
  get answer(): string {
    return Buffer.concat(this.#chunks).toString()
  }

  /** An upload that announces so many bytes and sends some of them. */
  static async upload(
    port: number,
    { token, announced, sent }: { token: string; announced: number; sent: number },
  ): Promise<SlowClient> {
    const client = new SlowClient(port)
    const head = `POST /api/v1/sboms HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Length: ${announced}\r\n\r\n`
    client.socket.write(head)
    if (sent > 0 && !client.socket.write(Buffer.alloc(sent, 32))) {
      await Promise.race([once(client.socket, 'drain'), client.closed])
    }
    return client
  }
}

type Options = {
  port: number
  headers: number
  uploads: number
  /** One for each dripping upload. */
  tokens: readonly string[]
  /** Time limit for the slow clients. */
  withinMs?: number
}

/**
 * Clients whose headers never end, and uploads of one byte a second, while others continue (goal 21). Failures: a slow client tolerated for
 * longer than a request may take, and another client not served.
 */
export async function runSlowClients({
  port,
  headers,
  uploads,
  tokens,
  withinMs = 62_000,
}: Options): Promise<Outcome> {
  const startedAt = performance.now()
  const slow = [
    ...Array.from({ length: headers }, () => {
      const client = new SlowClient(port)
      client.socket.write('POST /api/v1/sboms HTTP/1.1\r\nHost: x\r\n')
      return client
    }),
    ...(await Promise.all(
      Array.from({ length: uploads }, (_, place) =>
        SlowClient.upload(port, { token: tokens[place % tokens.length] ?? '', announced: 100_000, sent: 1 }),
      ),
    )),
  ]
  const closedAt: number[] = []
  for (const client of slow) void client.closed.then(() => closedAt.push(performance.now() - startedAt))
  const times: number[] = []
  const failures: string[] = []
  while (closedAt.length < slow.length && performance.now() - startedAt < withinMs) {
    for (const { socket } of slow) if (socket.writable) socket.write('x')
    await Promise.all(Array.from({ length: 20 }, (_, place) => ping(port, place * 50, { times, failures })))
  }
  for (const { socket } of slow) socket.destroy()
  const left = slow.length - closedAt.length
  if (left > 0) failures.push(`${left} slow clients were left alone for ${Math.round(withinMs / 1000)} s`)
  return {
    figures: {
      otherP99Ms: percentile(times, 99),
      others: times.length,
      lastClosedMs: Math.max(0, ...closedAt),
    },
    failures,
  }
}

async function ping(
  port: number,
  afterMs: number,
  { times, failures }: { times: number[]; failures: string[] },
): Promise<void> {
  await sleep(afterMs)
  const startedAt = performance.now()
  const { statusCode, body } = await request(`http://127.0.0.1:${port}/healthz`)
  await body.dump()
  times.push(performance.now() - startedAt)
  if (statusCode !== 200) failures.push(`a small request was answered ${statusCode}`)
}
