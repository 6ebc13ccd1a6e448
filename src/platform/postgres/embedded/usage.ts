import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { serverRole } from './cluster.ts'
import type { RunningServer } from './postmaster-file.ts'
import { prepareStore } from './prepare-store.ts'
import { ensureServer, type ServerPlan, stopServer, type StoreLog } from '../server.ts'
import { openSession, type Session } from '../session.ts'
import { isSessionLost } from '../store-away.ts'
import { StoreError } from '../store-error.ts'
import { pause } from '../pause.ts'

/** A process's share in an embedded server. */
export type Usage = {
  server: RunningServer
  /** Gives the share back; the last one to do so stops the server. */
  leave(): Promise<void>
}

/**
 * Every process that uses the server has this advisory lock, shared, on a session of its own. The session ends with the
 * process, however it ends, so the lock counts the live users. Advisory locks are per database: always this one.
 */
const usageLock = 1_398_362_701
const lockDatabase = 'postgres'
const joinPatienceMs = 60_000
const maxPauseMs = 5000

type Share = { server: RunningServer; session: Session }

/**
 * Joins the users of the server, starting it if necessary, and rejoins when the session is lost: a server that crashed
 * or was killed is started again for as long as somebody uses it.
 */
export async function joinServer(plan: ServerPlan, log: StoreLog): Promise<Usage> {
  const leaving = new AbortController()
  const first = await takeShare(plan, log)
  let share: Share | null = first
  const isLeaving = () => leaving.signal.aborted

  const keepShare = async () => {
    for (;;) {
      await share?.session.ended
      share = null
      if (isLeaving()) return
      log.warn({ dataDir: plan.places.dataDir }, 'lost the database server, joining it again')
      share = await rejoin(plan, log, leaving.signal)
      if (isLeaving()) break
    }
    // somebody who left meanwhile had nothing to give back
    if (share !== null) await giveBack(share, plan, log)
  }
  const keeping = keepShare()

  return {
    server: first.server,
    leave: async () => {
      leaving.abort()
      if (share !== null) await giveBack(share, plan, log)
      await keeping
    },
  }
}

/** Null when this process leaves meanwhile. */
async function rejoin(plan: ServerPlan, log: StoreLog, leaving: AbortSignal): Promise<Share | null> {
  for (let pauseMs = 100; !leaving.aborted; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
    try {
      return await takeShare(plan, log)
    } catch (error) {
      log.error({ err: error }, 'the database server cannot be joined')
      await pause(pauseMs, leaving)
    }
  }
  return null
}

async function takeShare(plan: ServerPlan, log: StoreLog): Promise<Share> {
  const giveUpAt = performance.now() + joinPatienceMs
  for (;;) {
    const server = await ensureServer(plan, log)
    try {
      return { server, session: await joinUsers(server, log) }
    } catch (error) {
      if (!isSessionLost(error) || performance.now() > giveUpAt) {
        throw new StoreError('not_ready', `The database server in ${server.folder} accepts no sessions.`, {
          cause: error,
        })
      }
      await sleep(20)
    }
  }
}

async function joinUsers({ folder, port }: RunningServer, log: StoreLog): Promise<Session> {
  const place = { host: folder, port, user: serverRole }
  const session = await openSession(
    { ...place, database: lockDatabase },
    { applicationName: `sbom-monitor user ${process.pid}`, log },
  )
  try {
    // Waits while the previous last user has the lock alone: that server is about to stop, and this session with it.
    await session.client.query('SELECT pg_advisory_lock_shared($1)', [usageLock])
    await prepareStore(session.client, place)
    return session
  } catch (error) {
    await session.client.end()
    throw error
  }
}

async function giveBack({ server, session }: Share, plan: ServerPlan, log: StoreLog): Promise<void> {
  // The server ending its last session is what was asked for.
  session.client.removeAllListeners('error').on('error', () => undefined)
  try {
    if (await isLastUser(session.client)) await stopAlone(server, plan, log)
  } catch (error) {
    if (!isSessionLost(error)) throw error
    log.info('the database server had ended before')
  } finally {
    await session.client.end()
  }
}

/** When true, it has the lock alone, so that nobody joins a server that is about to stop. */
async function isLastUser(session: Client): Promise<boolean> {
  await session.query('SELECT pg_advisory_unlock_shared($1)', [usageLock])
  const { rows } = await session.query<{ alone: boolean }>('SELECT pg_try_advisory_lock($1) AS alone', [
    usageLock,
  ])
  return rows[0]?.alone === true
}

async function stopAlone(server: RunningServer, plan: ServerPlan, log: StoreLog): Promise<void> {
  const hasStopped = await stopServer(plan.places.clusterDir, server.pid)
  const facts = { dataDir: plan.places.dataDir, serverPid: server.pid }
  if (hasStopped) log.info(facts, 'database server stopped')
  else log.warn(facts, 'the database server is still writing and stops by itself')
}
