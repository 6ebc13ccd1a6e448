import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../database/connection.ts'
import { cachedFor, withinMs } from './concurrency/cached.ts'
import type { Deps } from './deps.ts'
import { isSessionLost, isStoreAway } from './postgres/store-away.ts'

export type StoreState = {
  /** It answers, and its schema is the one this program knows. */
  store: boolean
  /** It accepts writes: its disk is not full, and it is no standby. */
  writable: boolean
}

type Probe = Pick<Deps, 'db' | 'log'> & {
  /** The schema's newest version that this program knows. */
  version: number
}

/** A probe waits no longer than this. */
const deadlineMs = 2_000
const writeEveryMs = 10_000
/** More than half a page of PostgreSQL, so that every write needs a page of its own. */
const fillerBytes = 5_000

/** Returns a check of what the database can do. A write is tried at most once in ten seconds; its result counts meanwhile. */
export function createStoreProbe({ db, log, version }: Probe): () => Promise<StoreState> {
  const isWritable = cachedFor(writeEveryMs, () => tryWrite(db, log))
  // A check that hangs is abandoned at its deadline, so that the next probe starts one of its own.
  const read = cachedFor(0, () =>
    withinMs(
      deadlineMs,
      look(db, version, isWritable),
      `the database did not answer within ${deadlineMs} ms`,
    ),
  )
  return async () => {
    try {
      return await read()
    } catch (error) {
      log.warn({ err: error }, 'the database does not answer')
      return { store: false, writable: false }
    }
  }
}

async function look(db: Db, version: number, isWritable: () => Promise<boolean>): Promise<StoreState> {
  if (!(await isCurrent(db, version))) return { store: false, writable: false }
  return { store: true, writable: await isWritable() }
}

async function isCurrent(db: Db, version: number): Promise<boolean> {
  const { rows } = await sql<{
    version: number
  }>`select max(version) as version from schema_migration`.execute(db)
  return (rows[0]?.version ?? 0) >= version
}

/** A commit that takes longer is waiting for an unreachable standby (`synchronous_standby_names`). */
const commitMs = 1_000

/**
 * Writes a row, deletes it and commits: a server may accept what it cannot commit. False when the database refused the write or did not
 * commit it in time. Throws when the database could not be reached.
 */
async function tryWrite(db: Db, log: Deps['log']): Promise<boolean> {
  const begun = Promise.withResolvers<Begun>()
  const writing = writeAndCommit(db, begun.resolve).then(
    () => true,
    (error: unknown) => {
      begun.reject(error)
      if (isSessionLost(error) || !isStoreAway(error)) throw error
      log.error({ err: error }, 'the database accepts no writes')
      return false
    },
  )
  const own = await begun.promise.catch(() => null)
  if (own === null) return writing
  const late = sleep(commitMs, 'late' as const, { ref: false })
  const result = await Promise.race([writing, late])
  if (result !== 'late') return result
  log.error('the database commits no writes; is a synchronous standby away?')
  // Without this it would wait for ever; the server then commits without the standby and says so. The session may have
  // been lent to somebody else by now, whose commit must go on waiting: hence the transaction's number.
  const ending = sql`
    select pg_cancel_backend(pid) from pg_stat_activity
    where pid = ${own.pid} and backend_xid::text = ${own.transaction} and wait_event = 'SyncRep'`.execute(db)
  for (const left of [writing, ending])
    left.catch((error: unknown) => log.warn({ err: error }, 'the write that was given up'))
  return false
}

/** What the server calls the session and the transaction of a write. */
type Begun = { pid: number; transaction: string }

async function writeAndCommit(db: Db, tell: (begun: Begun) => void): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<Begun>`
      insert into store_probe (filler) values (${'x'.repeat(fillerBytes)})
      returning pg_backend_pid() as pid, pg_current_xact_id()::xid::text as transaction`.execute(tx)
    await tx.deleteFrom('store_probe').execute()
    const [begun] = rows
    if (begun !== undefined) tell(begun)
  })
}
