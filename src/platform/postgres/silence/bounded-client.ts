import type { Socket } from 'node:net'
import pg, { type ClientBase, type ClientConfig } from 'pg'

/** What the driver has beside its types. */
export type Driven = ClientBase & {
  /** The number of the session at the server. */
  processID: number | null
  /** False while an answer is awaited. */
  readyForQuery: boolean
  connection: { stream: Socket }
}

/** Unless whoever opens it has more patience. */
const connectTimeoutMs = 5_000
const goodbyeMs = 2_000
/** Notices a peer that vanished without a word: the network between was cut, or its machine is gone. */
const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const

export type BoundedConfig = ClientConfig & { openTimeoutMs?: number }

/** The driver's client with limits on opening a session and on taking leave: a host that is silent hears no goodbye. */
export class BoundedClient extends pg.Client {
  constructor({ openTimeoutMs = connectTimeoutMs, ...config }: BoundedConfig = {}) {
    super({ ...config, ...keepAlive, connectionTimeoutMillis: openTimeoutMs })
  }

  override end(): Promise<void>
  override end(done: (error: Error) => void): void
  override end(done?: (error: Error) => void): Promise<void> | void {
    const { stream } = (this as unknown as Driven).connection
    const closing = setTimeout(() => stream.destroy(), goodbyeMs).unref()
    stream.once('close', () => clearTimeout(closing))
    if (done === undefined) return super.end()
    super.end(done)
  }
}
