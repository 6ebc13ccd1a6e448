import type { Client, ClientBase } from 'pg'
import { setTimeout as sleep } from 'node:timers/promises'
import { BoundedClient, type BoundedConfig } from './silence/bounded-client.ts'
import { SilenceWatch } from './silence/silence-watch.ts'
import { isSessionRefused } from './store-away.ts'
import { StoreError } from './store-error.ts'
import type { StoreLog } from './server.ts'

type SessionOptions = {
  /** What the server's list of sessions shows. */
  applicationName: string
  /** Called at the session's end. None: there is always a running statement that fails with it. */
  log?: Pick<StoreLog, 'warn'>
  /** How long to retry while the server has no session free or is just starting. Default 60 s. */
  patienceMs?: number
  /** How long the server may take to open the session. Default 20 s: one that is busy is worth waiting for. */
  openTimeoutMs?: number
}

export type Session = {
  client: Client
  /** Settles, never with an error, when the session is over, whoever ended it. */
  ended: Promise<void>
}

const silent = { warn: () => undefined }
const maxPauseMs = 500

/**
 * Opens a session of its own beside the pools. When the store ends it, that is logged and what it was doing fails; the process lives. Throws StoreError `no_room` when the server had no session free for the whole time;
 * what the connection's signal says, once that is aborted before the session is open.
 */
export async function openSession(
  { signal, ...connection }: BoundedConfig,
  { applicationName, log, patienceMs = 60_000, openTimeoutMs = 20_000 }: SessionOptions,
): Promise<Session> {
  const open = async () => {
    const limits = { openTimeoutMs, ...(signal !== undefined && { signal }) }
    const client = new BoundedClient({ ...connection, ...limits, application_name: applicationName })
    surviveLoss(client, (error) =>
      log?.warn({ err: error, session: applicationName }, 'a database session ended'),
    )
    const ended = new Promise<void>((resolve) => client.once('end', () => resolve()))
    await client.connect()
    new SilenceWatch(connection, { log: log ?? silent, statementTimeoutMs: null }).add(client)
    return { client, ended }
  }
  return untilAdmitted(patienceMs, open, signal)
}

/**
 * An `error` event without a listener ends the process (Node, events). The driver emits one on every session that the store ends,
 * even while it is in use: the failing statement tells whoever uses it.
 */
export function surviveLoss(client: ClientBase, report: (error: Error) => void): void {
  client.on('error', report)
}

/** Tries to connect until the server admits a session; any other failure is thrown at once. */
export async function untilAdmitted<T>(
  patienceMs: number,
  connect: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const giveUpAt = performance.now() + patienceMs
  for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
    try {
      return await connect()
    } catch (cause) {
      if (!isSessionRefused(cause)) throw cause
      if (performance.now() + pauseMs > giveUpAt) throw noRoom(patienceMs, cause)
    }
    // Random pauses keep those who wait from coming back at the same moment.
    await sleep(pauseMs * (0.5 + Math.random()), undefined, { signal })
  }
}

function noRoom(patienceMs: number, cause: unknown): StoreError {
  return new StoreError(
    'no_room',
    `PostgreSQL accepted no further session for ${patienceMs / 1000} s: raise its max_connections, or lower DATABASE_POOL_SIZE.`,
    { cause },
  )
}
