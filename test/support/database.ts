import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import pg, { type Pool, type PoolConfig } from 'pg'
import { inject } from 'vitest'
import type { Tables } from '../../src/database/tables.ts'
import { connectionUrl, createPool, createQueries } from '../../src/platform/postgres/pool.ts'
import { keepRoleLimits } from '../../src/platform/postgres/pooler/role-limits.ts'
import type { StoreConnection } from '../../src/platform/postgres/store-connection.ts'
import { letGoOf } from './let-go.ts'
import { emptyDatabase, schemaOf } from './emptied-database.ts'
import { onDatabase, ownedByService, type TestServer } from './test-server.ts'

/** A migrated database for one test file, or one test. */
export type TestDatabase = {
  name: string
  connection: StoreConnection
  /** The same without this run's pooler, if any: directly to the server. */
  direct: PoolConfig
  /** The same as a URL, for a child process's DATABASE_URL. */
  url: string
  /** `direct` as a URL: for a restore, which needs a dedicated session. */
  directUrl: string
  pool: Pool
  db: Kysely<Tables>
  /** Empties the database for the next test, or ends the pool and removes it, even if others are connected. */
  drop: () => Promise<void>
}

type Emptied = { name: string; pool: Pool }
/**
 * Emptied databases that tests of this process have returned, with their sessions: a new copy costs hundreds of files, and a new session reads the
 * catalogue and plans its statements again. The end of the run removes them.
 */
const idle: Emptied[] = []
let migratedSchema: string | undefined

type Wanted = { isNew?: boolean; template?: string }

/**
 * As the migrations leave it, or a copy of another one (`template`); `isNew`: the planner has no statistics of its tables. Create one in
 * `beforeAll` and drop it in `afterAll`.
 */
export async function createTestDatabase({ isNew = false, template }: Wanted = {}): Promise<TestDatabase> {
  const server = await askForServer()
  const isCopy = isNew || template !== undefined
  const emptied = isCopy ? undefined : idle.pop()
  const name = emptied?.name ?? (await createDatabase(server, template ?? server.template))
  const places = placesOf(server, name)
  const pool = emptied?.pool ?? openPool(places)
  const admin = onDatabase(server.connection, name)
  const schema = (migratedSchema ??= await schemaOf(admin))
  return databaseOn(pool, { name, places }, async () => {
    if (!isAtRest(pool)) await endPool(pool)
    const own = pool.ending ? [] : sessionsOf(pool)
    if (await emptyDatabase(admin, { schema, own, isPooled: isPooled(server) })) {
      idle.push({ name, pool: pool.ending ? openPool(places) : pool })
    } else {
      await endPool(pool)
      await removeDatabase(server, name)
    }
  })
}

/** Whether all its sessions are free. */
const isAtRest = (pool: Pool): boolean =>
  !pool.ending && pool.totalCount === pool.idleCount && pool.waitingCount === 0

/** Tests may have ended it themselves. */
const endPool = async (pool: Pool): Promise<void> => {
  if (!pool.ending) await pool.end()
}

/** Their numbers at the server; behind a pooler they are the pooler's own. */
const sessionsOf = (pool: Pool): number[] =>
  (pool as unknown as { _clients: { processID: number }[] })._clients.map(({ processID }) => processID)

/** A database without tables, for tests of the migrations. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const server = await askForServer()
  const name = await createDatabase(server, 'template0')
  return openDatabase(name, placesOf(server, name), () => removeDatabase(server, name))
}

type Connections = Pick<TestDatabase, 'connection' | 'direct'> & {
  /** Of the pool here. */
  near?: StoreConnection
}

function placesOf(
  { serviceConnection, nearConnection, directConnection }: TestServer,
  name: string,
): Connections {
  return {
    connection: onDatabase(serviceConnection, name),
    near: onDatabase(nearConnection, name),
    direct: onDatabase(directConnection, name),
  }
}

const isPooled = ({ serviceConnection }: TestServer) => serviceConnection.pooler !== undefined

async function createDatabase(server: TestServer, template: string): Promise<string> {
  const name = `${server.prefix}${randomBytes(6).toString('hex')}`
  await onServer(server.connection, `CREATE DATABASE ${name} ${ownedByService(server)} TEMPLATE ${template}`)
  if (isPooled(server)) await keepRoleLimits(onDatabase(server.directConnection, name))
  return name
}

async function removeDatabase(server: TestServer, name: string): Promise<void> {
  await onServer(server.connection, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
}

/** An existing database; `remove` runs after the end of the pool. */
export function openDatabase(name: string, places: Connections, remove: () => Promise<void>): TestDatabase {
  const pool = openPool(places)
  return databaseOn(pool, { name, places }, async () => {
    await pool.end()
    await remove()
  })
}

function openPool({ connection, near = connection }: Connections): Pool {
  const pool = createPool(near, { max: 10, applicationName: 'test', log: console })
  // One that waits for the next test keeps no process from its end.
  pool.options.allowExitOnIdle = true
  return pool
}

/** The pool as one test has it: what goes on after its end finds no session, and nothing of the next test. */
function untilEnded(kept: Pool): { pool: Pool; end: () => void } {
  let hasEnded = false
  const refuse = () => Promise.reject(new Error('Cannot use a pool after calling end on the pool'))
  const pool = new Proxy(kept, {
    get: (_, name) => {
      if (hasEnded && (name === 'connect' || name === 'query')) return refuse
      const value: unknown = Reflect.get(kept, name, kept)
      return typeof value === 'function' ? (value.bind(kept) as unknown) : value
    },
  })
  return { pool, end: () => void (hasEnded = true) }
}

function databaseOn(
  kept: Pool,
  { name, places: { connection, direct } }: { name: string; places: Connections },
  giveBack: () => Promise<void>,
): TestDatabase {
  const { pool, end } = untilEnded(kept)
  const database: TestDatabase = {
    name,
    connection,
    direct,
    url: connectionUrl(connection),
    directUrl: connectionUrl(direct),
    pool,
    db: createQueries<Tables>(pool),
    drop: async () => {
      end()
      await giveBack()
      letGoOf(database)
    },
  }
  return database
}

/** For what a test does to the server outside its databases. */
export async function askForServer(): Promise<TestServer> {
  const response = await fetch(inject('testServerUrl'))
  if (!response.ok) throw new Error(`The test server did not start: ${await response.text()}`)
  return (await response.json()) as TestServer
}

async function onServer(connection: PoolConfig, statement: string): Promise<void> {
  const session = new pg.Client(connection)
  await session.connect()
  try {
    await session.query(statement)
  } finally {
    await session.end()
  }
}
