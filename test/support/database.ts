import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import pg, { type Pool, type PoolConfig } from 'pg'
import { inject } from 'vitest'
import type { Tables } from '../../src/database/tables.ts'
import { connectionUrl, createPool, createQueries } from '../../src/platform/postgres/pool.ts'
import { keepRoleLimits } from '../../src/platform/postgres/pooler/role-limits.ts'
import type { StoreConnection } from '../../src/platform/postgres/store-connection.ts'
import { emptyDatabase, schemaOf } from './emptied-database.ts'
import { onDatabase, ownedByService, type TestServer } from './test-server.ts'

/** A migrated database of one test file, or of one test. */
export type TestDatabase = {
  name: string
  connection: StoreConnection
  /** The same past the pooler of this run, if it has one: to the server itself. */
  direct: PoolConfig
  /** The same as an address, for the DATABASE_URL of a child process. */
  url: string
  /** `direct` as an address: for a restore, which needs a session of its own. */
  directUrl: string
  pool: Pool
  db: Kysely<Tables>
  /** Ends the pool, and empties or removes the database, whoever is still connected. */
  drop: () => Promise<void>
}

/** Databases that tests of this process have given back, emptied: a copy costs hundreds of files. The end of the run removes them. */
const idle: string[] = []
let migratedSchema: string | undefined

/** As the migrations leave it; `isNew`: so that the planner knows nothing of its tables. Take one in `beforeAll` and drop it in `afterAll`. */
export async function createTestDatabase({ isNew = false } = {}): Promise<TestDatabase> {
  const server = await askForServer()
  const name = (isNew ? undefined : idle.pop()) ?? (await createDatabase(server, server.template))
  const admin = onDatabase(server.connection, name)
  const schema = (migratedSchema ??= await schemaOf(admin))
  return openDatabase(name, placesOf(server, name), async () => {
    if (isPooled(server)) await endIdle(admin)
    if (await emptyDatabase(admin, schema)) idle.push(name)
    else await removeDatabase(server, name)
  })
}

/** A database without any table, for tests of the migrations themselves. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const server = await askForServer()
  const name = await createDatabase(server, 'template0')
  return openDatabase(name, placesOf(server, name), () => removeDatabase(server, name))
}

type Connections = Pick<TestDatabase, 'connection' | 'direct'>

function placesOf({ serviceConnection, directConnection }: TestServer, name: string): Connections {
  return { connection: onDatabase(serviceConnection, name), direct: onDatabase(directConnection, name) }
}

const isPooled = ({ serviceConnection }: TestServer) => serviceConnection.pooler !== undefined

/** A pooler keeps sessions that nobody uses. */
async function endIdle(admin: PoolConfig): Promise<void> {
  await onServer(
    admin,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND state = 'idle'`,
  )
}

async function createDatabase(server: TestServer, template: string): Promise<string> {
  const name = `${server.prefix}${randomBytes(6).toString('hex')}`
  await onServer(server.connection, `CREATE DATABASE ${name} ${ownedByService(server)} TEMPLATE ${template}`)
  if (isPooled(server)) await keepRoleLimits(onDatabase(server.directConnection, name))
  return name
}

async function removeDatabase(server: TestServer, name: string): Promise<void> {
  await onServer(server.connection, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
}

/** One that is there already; `remove` comes after the end of the pool. */
export function openDatabase(
  name: string,
  { connection, direct }: Connections,
  remove: () => Promise<void>,
): TestDatabase {
  const pool = createPool(connection, { max: 10, applicationName: 'test', log: console })
  return {
    name,
    connection,
    direct,
    url: connectionUrl(connection),
    directUrl: connectionUrl(direct),
    pool,
    db: createQueries<Tables>(pool),
    drop: async () => {
      await pool.end()
      await remove()
    },
  }
}

/** For what a test does to the server beside its databases. */
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
