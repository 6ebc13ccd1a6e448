import { Kysely, PostgresDialect } from 'kysely'
import pg, { type ClientBase, type Pool, type PoolConfig } from 'pg'
import { setTimeout as sleep } from 'node:timers/promises'
import { columnTypes } from './column-types.ts'
import { allowCopy } from './copy.ts'
import { settingLimits, standardLimits, type Limits } from './limits.ts'
import { pooledSessions } from './pooled-session.ts'
import { limitTransactions } from './pooler/limit-transactions.ts'
import { keepPlans, nameOnce } from './prepared.ts'
import type { StoreLog } from './server.ts'
import { surviveLoss } from './session.ts'
import { BoundedClient } from './silence/bounded-client.ts'
import { SilenceWatch } from './silence/silence-watch.ts'
import type { StoreConnection } from './store-connection.ts'
import { isGivenUp } from './store-error.ts'

type PoolOptions = {
  /** The largest number of sessions. */
  max: number
  /** What the server's list of sessions shows. */
  applicationName: string
  log: Pick<StoreLog, 'warn'>
  /** How long one statement may run. Default 60 s. */
  statementTimeoutMs?: number
  /** How long a statement may wait for a lock. Default 10 s. */
  lockTimeoutMs?: number
  /**
   * Rows are found by indexes alone: for a table that is analysed while it is nearly empty, since the plans that sessions keep from then
   * on would scan all of it again and again once it is full.
   */
  byIndexes?: boolean
  /**
   * Statements are sent without waiting for the answers before, and the server works through them without waiting for us. Not for `COPY`.
   */
  pipeline?: boolean
}

/** How long somebody waits for a session while all are in use. */
const freeTimeoutMs = 10_000
const retries = 3
/** A session's plans end with it; a new session every five minutes costs nothing. */
const sessionSeconds = 300

/**
 * A pool of sessions on the store, with limits on every wait, times in UTC and columns parsed as column-types.ts says. A session
 * that the store ends, idle or in use, is logged and replaced. While all are in use a request for one waits, at most ten seconds.
 * End it with `pool.end()`.
 */
export function createPool(connection: StoreConnection, options: PoolOptions): Pool {
  const limits: Limits = {
    statementTimeoutMs: options.statementTimeoutMs ?? standardLimits.statementTimeoutMs,
    lockTimeoutMs: options.lockTimeoutMs ?? standardLimits.lockTimeoutMs,
    byIndexes: options.byIndexes === true,
  }
  const isLent = connection.pooler === 'transaction'
  const { statementTimeoutMs } = limits
  const watch = new SilenceWatch(connection, { log: options.log, statementTimeoutMs })
  const pool = new pg.Pool({
    ...connection,
    Client: BoundedClient,
    max: options.max,
    maxLifetimeSeconds: sessionSeconds,
    application_name: options.applicationName,
    connectionTimeoutMillis: freeTimeoutMs,
    types: columnTypes,
    pipeline: options.pipeline === true,
    ...(isLent ? {} : { onConnect: beginWith(limits, watch) }),
  })
  // A closing pool does not wait for the server to close its sessions; what happens to them then need not be logged.
  const report = (error: Error) => {
    if (!pool.ending)
      options.log.warn({ err: error, session: options.applicationName }, 'a database session ended')
  }
  pool.on('connect', (client) => surviveLoss(client, report))
  // The pool repeats what an idle session has reported.
  pool.on('error', () => undefined)
  pool.on('connect', allowCopy)
  // In the next session that a pooler lends, a name means another statement or none, unless the pooler tracks it.
  const keepsPlans = !isLent || connection.tracksStatements === true
  pool.on('connect', (client) => {
    if (keepsPlans) keepPlans(client)
    if (!isLent) return
    nameOnce(client)
    watch.add(client)
    limitTransactions(client, limits)
  })
  return pool
}

/** The first statement of a session sets its limits: poolers refuse them as startup parameters. */
function beginWith(limits: Limits, watch: SilenceWatch): PoolConfig['onConnect'] {
  // The pool awaits the result, although the driver's types do not say so.
  return (client: ClientBase): unknown => {
    watch.add(client)
    return client.query(settingLimits('set', limits))
  }
}

/** The query builder on a pool. Destroying it ends the pool. */
export function createQueries<Tables>(pool: Pool): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: pooledSessions(pool) }) })
}

/**
 * The connection as one `postgresql://` address, for a child process. The folder of a unix socket travels as the `host`
 * parameter.
 */
export function connectionUrl(connection: PoolConfig): string {
  if (connection.connectionString !== undefined) return connection.connectionString
  const parameters = new URLSearchParams()
  if (connection.host !== undefined) parameters.set('host', connection.host)
  if (connection.port !== undefined) parameters.set('port', String(connection.port))
  if (connection.user !== undefined) parameters.set('user', connection.user)
  return `postgresql:///${encodeURIComponent(connection.database ?? '')}?${parameters.toString().replaceAll('+', '%20')}`
}

/**
 * Runs a whole transaction again, up to three times, when PostgreSQL gave it up for the sake of another one
 * (40001 serialization failure, 40P01 deadlock). `run` must begin and end its own transaction.
 */
export async function retrySerialization<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await run()
    } catch (error) {
      if (attempt >= retries || !isGivenUp(error)) throw error
      // Random pauses keep two that collided from colliding again.
      await sleep(2 ** attempt * (5 + Math.random() * 10))
    }
  }
}
