import pg from 'pg'
import { setTimeout as sleep } from 'node:timers/promises'
import { serverRole } from './cluster.ts'
import type { RunningServer } from './postmaster-file.ts'
import { prepareStore } from './prepare-store.ts'
import { ensureServer, type ServerPlan, stopServer, type StoreLog } from './server.ts'
import { errorCode, StoreError } from './store-error.ts'

/** A process's share in an embedded server. */
export type Usage = {
  server: RunningServer
  /** Gives the share back; the last one to do so stops the server. */
  leave(): Promise<void>
}

/**
 * Every process that uses the server holds this advisory lock, shared, on a session of its own. The session ends with the
 * process, however it ends, so the lock counts the living users. Advisory locks are per database: always this one.
 */
const usageLock = 1_398_362_701
const lockDatabase = 'postgres'
const joinPatienceMs = 60_000
const longestPauseMs = 5000

/** What a server says, or its socket, while it is going down: wait and start it anew. */
const goingDown = new Set(['57P01', '57P02', '57P03', 'ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE'])

type Share = { server: RunningServer; session: pg.Client }

/**
 * Joins the users of the server, starting it if need be, and rejoins when the session is lost: a server that crashed or
 * was killed is started again for as long as somebody uses it.
 */
export async function joinServer(plan: ServerPlan, log: StoreLog): Promise<Usage> {
  const closing = new AbortController()
  const first = await takeShare(plan, log)
  let share: Share | null = first
  let recovery: Promise<void> = Promise.resolve()

  const watch = (session: pg.Client) => {
    session.once('end', () => {
      share = null
      if (!closing.signal.aborted) recovery = rejoin()
    })
  }
  const rejoin = async () => {
    log.warn({ dataDir: plan.places.dataDir }, 'lost the store server, joining it again')
    for (let pauseMs = 100; !closing.signal.aborted; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      try {
        share = await takeShare(plan, log)
        watch(share.session)
        return
      } catch (error) {
        log.error({ err: error }, 'the store server cannot be joined')
        await pause(pauseMs, closing.signal)
      }
    }
  }
  watch(first.session)

  return {
    server: first.server,
    leave: async () => {
      closing.abort()
      await recovery
      if (share !== null) await giveBack(share, plan, log)
    },
  }
}

/** Ends early, without an error, when the signal comes. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined)
}

async function takeShare(plan: ServerPlan, log: StoreLog): Promise<Share> {
  const giveUpAt = performance.now() + joinPatienceMs
  for (;;) {
    const server = await ensureServer(plan, log)
    const session = createSession(server, log)
    try {
      await session.connect()
      // Waits while the last user of before holds the lock alone: that server is about to end, and this session with it.
      await session.query('SELECT pg_advisory_lock_shared($1)', [usageLock])
      await prepareStore(session, connectionOf(server))
      return { server, session }
    } catch (error) {
      await session.end().catch(() => undefined)
      if (!isGoingDown(error) || performance.now() > giveUpAt) {
        throw new StoreError('not_ready', `The store server in ${server.folder} takes no sessions.`, {
          cause: error,
        })
      }
      await sleep(20)
    }
  }
}

function connectionOf({ folder, port }: RunningServer): pg.ClientConfig {
  return { host: folder, port, user: serverRole }
}

function createSession(server: RunningServer, log: StoreLog): pg.Client {
  const session = new pg.Client({
    ...connectionOf(server),
    database: lockDatabase,
    application_name: `store user ${process.pid}`,
    connectionTimeoutMillis: 10_000,
  })
  // Without a listener the end of the server would end this process.
  session.on('error', (error) => log.warn({ err: error }, 'store session'))
  return session
}

function isGoingDown(error: unknown): boolean {
  const message = error instanceof Error ? error.message : ''
  const isCut = message.startsWith('Connection terminated') || message.includes('not queryable')
  return isCut || goingDown.has(errorCode(error) ?? '')
}

async function giveBack({ server, session }: Share, plan: ServerPlan, log: StoreLog): Promise<void> {
  // The server's farewell to its last session is what was asked for.
  session.removeAllListeners('error').on('error', () => undefined)
  try {
    if (await isLastUser(session)) await stopAlone(server, plan, log)
  } catch (error) {
    if (!isGoingDown(error)) throw error
    log.info('the store server had ended before')
  } finally {
    await session.end().catch(() => undefined)
  }
}

/** Holds the lock alone afterwards when true, so that nobody joins a server that is about to stop. */
async function isLastUser(session: pg.Client): Promise<boolean> {
  await session.query('SELECT pg_advisory_unlock_shared($1)', [usageLock])
  const { rows } = await session.query<{ alone: boolean }>('SELECT pg_try_advisory_lock($1) AS alone', [
    usageLock,
  ])
  return rows[0]?.alone === true
}

async function stopAlone(server: RunningServer, plan: ServerPlan, log: StoreLog): Promise<void> {
  const hasStopped = await stopServer(plan.places.clusterDir, server.pid)
  const facts = { dataDir: plan.places.dataDir, pid: server.pid }
  if (hasStopped) log.info(facts, 'store server stopped')
  else log.warn(facts, 'the store server is still writing and stops by itself')
}
