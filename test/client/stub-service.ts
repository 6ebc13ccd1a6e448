import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { run } from '../../client/src/run.ts'
import { portOf } from '../support/port-of.ts'

type Reply = { status: number; body?: unknown; headers?: Record<string, string> }
type Received = { method: string; url: string; headers: IncomingHttpHeaders; body: Buffer }
type Options = {
  env?: Record<string, string>
  isTTY?: boolean
  /** What the clock advances with each reading. */
  readingMs?: number
}

export const uploadToken = `svc_${'u'.repeat(43)}`
export const resultsToken = `svc_${'r'.repeat(43)}`

/** A service with prepared answers, and the client on a clock that advances almost only when it sleeps. */
export class StubService {
  readonly address: string
  readonly folder = mkdtempSync(join(tmpdir(), 'client-'))
  readonly file = join(this.folder, 'bom.json')
  readonly #server: Server
  /** In order; the last one repeats. */
  replies: Reply[] = []
  received: Received[] = []

  private constructor(server: Server) {
    this.#server = server
    this.address = `http://127.0.0.1:${portOf(server)}`
    writeFileSync(this.file, '{"bomFormat":"CycloneDX"}')
    server.on('request', (request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const { method = '', url = '', headers } = request
        this.received.push({ method, url, headers, body: Buffer.concat(chunks) })
        const reply = (this.replies.length > 1 ? this.replies.shift() : this.replies[0]) ?? { status: 500 }
        response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
        response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body ?? null))
      })
    })
  }

  static async open(): Promise<StubService> {
    // longer than a test on a busy machine: a connection closed between two requests looks like a failed attempt
    const server = createServer({ keepAliveTimeout: 120_000 }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new StubService(server)
  }

  close(): void {
    this.#server.close()
    rmSync(this.folder, { recursive: true })
  }

  reset(): void {
    this.replies = []
    this.received = []
  }

  /** Runs the client in this process; its output must contain no token. */
  async client(args: string[], { env = {}, isTTY = false, readingMs = 1 / 1024 }: Options = {}) {
    let nowMs = 0
    const out: string[] = []
    const err: string[] = []
    const sleptMs: number[] = []
    const exitCode = await run(args, {
      env: { SBOM_MONITOR_URL: this.address, SBOM_MONITOR_TOKEN: uploadToken, ...env },
      out: { write: (text) => out.push(text), isTTY },
      err: { write: (text) => err.push(text), isTTY },
      // a real clock advances a little between two readings
      nowMs: () => (nowMs += readingMs),
      sleep: (ms) => {
        sleptMs.push(Math.round(ms))
        nowMs += ms
        return Promise.resolve()
      },
      random: () => 0,
    })
    const texts = { out: out.join(''), err: err.join('') }
    expect(texts.out + texts.err).not.toMatch(/svc_[ur]{43}/)
    return { exitCode, sleptMs, ...texts }
  }
}

export const receipt = (fields: Record<string, unknown> = {}) => ({
  id: '0f0f',
  status: 'parsed',
  components: 3,
  version: '1.0.0',
  url: 'https://monitor.example/app/acme/sboms/0f0f',
  duplicate: false,
  ...fields,
})

export const refusal = (error: string, message: string, detail?: string) => ({ error, message, detail })
