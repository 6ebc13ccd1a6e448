import { sql } from 'kysely'
import type { Db } from '../database/connection.ts'
import { cachedFor, withinMs } from './cached.ts'
import type { Deps } from './deps.ts'
import { isSessionLost, isStoreAway } from './postgres/store-away.ts'

export type StoreState = {
  /** It answers, and its schema is the one this program knows. */
  store: boolean
  /** It takes what is written to it: its disk is not full, and it is no standby. */
  writable: boolean
}

type Probe = Pick<Deps, 'db' | 'log'> & {
  /** The schema's newest version that this program knows. */
  version: number
}

/** Whoever asks for readiness waits no longer than this. */
const deadlineMs = 2_000
const writeEveryMs = 10_000
/** More than half a page of PostgreSQL, so that every write needs a page of its own. */
const fillerBytes = 5_000

/** Returns what a process may expect of the database. A write is tried at most once in ten seconds; its result counts meanwhile. */
export function createStoreProbe({ db, log, version }: Probe): () => Promise<StoreState> {
  const isWritable = cachedFor(writeEveryMs, () => tryWrite(db, log))
  const read = cachedFor(0, async (): Promise<StoreState> => {
    if (!(await isCurrent(db, version))) return { store: false, writable: false }
    return { store: true, writable: await isWritable() }
  })
  return async () => {
    try {
      return await withinMs(deadlineMs, read(), `the database did not answer within ${deadlineMs} ms`)
    } catch (error) {
      log.warn({ err: error }, 'the database does not answer')
      return { store: false, writable: false }
    }
  }
}

async function isCurrent(db: Db, version: number): Promise<boolean> {
  const { rows } = await sql<{
    version: number
  }>`select max(version) as version from schema_migration`.execute(db)
  return (rows[0]?.version ?? 0) >= version
}

/** False when the database refused the write. Throws when it was not there to judge it. */
async function tryWrite(db: Db, log: Deps['log']): Promise<boolean> {
  const tx = await db.startTransaction().execute()
  try {
    await sql`insert into store_probe (filler) values (${'x'.repeat(fillerBytes)})`.execute(tx)
    return true
  } catch (error) {
    if (isSessionLost(error) || !isStoreAway(error)) throw error
    log.error({ err: error }, 'the database accepts no writes')
    return false
  } finally {
    await tx.rollback().execute()
  }
}
