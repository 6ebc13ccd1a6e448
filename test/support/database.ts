import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import pg, { type Pool, type PoolConfig } from 'pg'
import { inject } from 'vitest'
import type { Tables } from '../../src/database/tables.ts'
import { connectionUrl, createPool, createQueries } from '../../src/platform/postgres/pool.ts'
import { emptyDatabase, poolName, readShape } from './emptied-database.ts'
import { onDatabase, ownedByService, type TestServer } from './test-server.ts'

/** A migrated database of one test file, or of one test. */
export type TestDatabase = {
  name: string
  connection: PoolConfig
  /** The same as an address, for the DATABASE_URL of a child process. */
  url: string
  pool: Pool
  db: Kysely<Tables>
  /** Empties the database for another test, or removes it, whoever is still connected. */
  drop: () => Promise<void>
}

/** What belongs to a database for as long as this process uses it. */
type Used = Omit<TestDatabase, 'drop'> & {
  /** Empties it. */
  admin: pg.Client
}

/**
 * Databases that tests of this process have given back, emptied, with the sessions on them: a copy costs hundreds of files, and a session that is
 * new plans its first statements slowly. The end of the run removes them.
 */
const idle: Used[] = []
let migratedSchema: string | undefined

/** As the migrations leave it; `isNew`: so that the planner knows nothing of its tables. Take one in `beforeAll` and drop it in `afterAll`. */
export async function createTestDatabase({ isNew = false } = {}): Promise<TestDatabase> {
  const used = (isNew ? undefined : idle.pop()) ?? (await createUsed())
  const { name, connection, url, pool, db } = used
  return { name, connection, url, pool, db, drop: () => giveBack(used) }
}

async function createUsed(): Promise<Used> {
  const server = await askForServer()
  const name = await createDatabase(server, server.template)
  const admin = new pg.Client(onDatabase(server.connection, name))
  // The end of the run comes before the end of the session.
  admin.on('error', () => undefined)
  await admin.connect()
  migratedSchema ??= await readShape(admin)
  return { admin, ...openPool(name, onDatabase(server.serviceConnection, name)) }
}

async function giveBack(used: Used): Promise<void> {
  const { name, admin, pool } = used
  if ((await waitUntilFree(pool)) && (await emptyDatabase(admin, migratedSchema ?? ''))) {
    idle.push(used)
    return
  }
  await admin.end()
  if (!pool.ending) await pool.end()
  await removeDatabase(await askForServer(), name)
}

/** What a test did not wait for may be under way for a moment yet. False for a pool that the test has ended. */
async function waitUntilFree(pool: Pool): Promise<boolean> {
  for (let asked = 0; asked < 50 && !pool.ending; asked += 1) {
    if (pool.idleCount === pool.totalCount && pool.waitingCount === 0) return true
    await setTimeout(20)
  }
  return false
}

/** A database without any table, for tests of the migrations themselves. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const server = await askForServer()
  const name = await createDatabase(server, 'template0')
  return openDatabase(name, onDatabase(server.serviceConnection, name), () => removeDatabase(server, name))
}

async function createDatabase(server: TestServer, template: string): Promise<string> {
  const name = `${server.prefix}${randomBytes(6).toString('hex')}`
  await onServer(server, `CREATE DATABASE ${name} ${ownedByService(server)} TEMPLATE ${template}`)
  return name
}

async function removeDatabase(server: TestServer, name: string): Promise<void> {
  await onServer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
}

/** One that is there already; `remove` comes after the end of the pool. */
export function openDatabase(
  name: string,
  connection: PoolConfig,
  remove: () => Promise<void>,
): TestDatabase {
  const opened = openPool(name, connection)
  return {
    ...opened,
    drop: async () => {
      await opened.pool.end()
      await remove()
    },
  }
}

function openPool(name: string, connection: PoolConfig): Omit<TestDatabase, 'drop'> {
  const pool = createPool(connection, { max: 10, applicationName: poolName, log: console })
  return { name, connection, url: connectionUrl(connection), pool, db: createQueries<Tables>(pool) }
}

let asked: TestServer | undefined

async function askForServer(): Promise<TestServer> {
  if (asked !== undefined) return asked
  const response = await fetch(inject('testServerUrl'))
  if (!response.ok) throw new Error(`The test server did not start: ${await response.text()}`)
  asked = (await response.json()) as TestServer
  return asked
}

async function onServer(server: TestServer, statement: string): Promise<void> {
  const session = new pg.Client(server.connection)
  await session.connect()
  try {
    await session.query(statement)
  } finally {
    await session.end()
  }
}
