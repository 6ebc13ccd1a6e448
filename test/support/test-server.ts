import { randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, glob, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg, { type PoolConfig } from 'pg'
import { migrate } from '../../src/schema/migrate.ts'
import { judgePostmaster } from '../../src/platform/postgres/embedded/postmaster-file.ts'
import { stopServer } from '../../src/platform/postgres/server.ts'
import { openStore, type Store } from '../../src/platform/postgres/store.ts'
import type { StoreConnection } from '../../src/platform/postgres/store-connection.ts'
import { startPooler, tracking } from './pooler.ts'

/** What a test file needs to create databases; plain data, because it travels between processes. */
export type TestServer = {
  /** A database to connect to, as a role that may create and drop others. */
  connection: PoolConfig
  /** The service's connection: as a role that owns the test databases and has no other rights. */
  serviceConnection: StoreConnection
  /** The same for the pools of the tests' own processes: by the shortest way. */
  nearConnection: StoreConnection
  /** The same without this run's pooler, if any. */
  directConnection: PoolConfig
  /** A migrated database nobody connects to. */
  template: string
  /** Prefix of the names of this run's databases. */
  prefix: string
}

export const checkoutDir = join(import.meta.dirname, '..', '..')
const folderName = /^sbom-monitor-test-(?<owner>\d+)-/
const databaseName = /^test_(?<run>\d+)_/
/** First key of the advisory lock that a run keeps on its number, the second key, as long as it lives. */
const runLock = 1_953_719_668

/**
 * Starts the server of one test run, or uses TEST_DATABASE_URL, and migrates the template. `close` removes everything the run created. On a
 * given server, drops databases left by killed runs. With TEST_POOLER=1 the service connects through PgBouncer in transaction mode, with
 * TEST_POOLER=tracked through one that tracks prepared statements.
 */
export async function startTestServer(): Promise<{ server: TestServer; close: () => Promise<void> }> {
  const databaseUrl = process.env['TEST_DATABASE_URL'] ?? null
  const folder = databaseUrl === null ? await createRunFolder() : null
  const store = await openTestStore(databaseUrl, folder)
  const tracksStatements = process.env['TEST_POOLER'] === 'tracked'
  const settings = tracksStatements ? { ...roomForTests, ...tracking } : roomForTests
  const pooler =
    tracksStatements || process.env['TEST_POOLER'] === '1'
      ? await startPooler({ server: store.connection, mode: 'transaction', settings })
      : null
  const run = randomInt(2 ** 31)
  const through = (url: string) => ({
    connectionString: url,
    pooler: 'transaction' as const,
    tracksStatements,
  })
  const server = {
    connection: store.adminConnection ?? store.connection,
    serviceConnection: pooler === null ? store.connection : through(pooler.url('postgres')),
    nearConnection:
      pooler === null ? store.connection : through(pooler.nearUrl('postgres') ?? pooler.url('postgres')),
    directConnection: store.connection,
    template: `test_${run}_template`,
    prefix: `test_${run}_`,
  }
  const session = new pg.Client(server.connection)
  await session.connect()
  await session.query('SELECT pg_advisory_lock($1, $2)', [runLock, run])
  await dropLeftoverDatabases(session)
  await session.query(`CREATE DATABASE ${server.template} ${ownedByService(server)}`)
  await migrate(onDatabase(store.connection, server.template), join(checkoutDir, 'database', 'migrations'))
  return {
    server,
    close: async () => {
      // databases of a server in a folder go with the folder: dropping one takes the server a second
      if (folder === null) await dropDatabases(session, run)
      await session.end()
      await pooler?.close()
      await store.close()
      if (folder !== null) await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Four files at a time, with their own processes. Of the sessions that it keeps for the databases of tests, the server has room for those of the last ones. */
const roomForTests = { max_client_conn: '1000', server_idle_timeout: '60' }

/** Clause of CREATE DATABASE; on a given server its role owns what it creates. */
export function ownedByService({ directConnection: { user } }: TestServer): string {
  return user === undefined ? '' : `OWNER ${user}`
}

/** The same server, another database. */
export function onDatabase<Connection extends PoolConfig>(
  connection: Connection,
  database: string,
): Connection {
  if (connection.connectionString === undefined) return { ...connection, database }
  const url = new URL(connection.connectionString)
  url.pathname = `/${database}`
  return { ...connection, connectionString: url.toString() }
}

/** Stops the servers, and removes the folders, of this user's runs in the place whose process is gone. */
export async function removeLeftoverServers(place: string): Promise<void> {
  if (!existsSync(place)) return
  for (const name of await readdir(place)) {
    const owner = Number(folderName.exec(name)?.groups?.['owner'])
    if (!Number.isInteger(owner) || isAlive(owner)) continue
    const folder = join(place, name)
    if (!(await isOwn(folder))) continue
    await removeRunFolder(folder)
  }
}

/** Together with the servers of killed tests in it. */
export async function removeRunFolder(folder: string): Promise<void> {
  for await (const clusterDir of glob('{*,*/*,*/.*,*/*/*,*/*/.*}/pgdata', { cwd: folder })) {
    await stopLeftover(join(folder, clusterDir))
  }
  // Two runs that start together remove the same, and a server that was killed may still write.
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
}

/** The temporary folder is shared: users remove only their own leftovers. */
async function isOwn(folder: string): Promise<boolean> {
  try {
    return (await stat(folder)).uid === process.getuid?.()
  } catch (error) {
    // Another run was faster.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}

async function stopLeftover(clusterDir: string): Promise<void> {
  const judgement = await judgePostmaster(clusterDir)
  if (judgement.kind === 'live') await stopServer(clusterDir, judgement.file.pid)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // A process of another user is alive too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** A folder that the next run removes, with its servers, if this run cannot. */
export async function createRunFolder(place = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(place, `sbom-monitor-test-${process.pid}-`))
  // When started by root, the server runs under another account.
  await chmod(folder, 0o755)
  return folder
}

/** For data thrown away after the run: without `fsync`. */
export async function openTestStore(databaseUrl: string | null, folder: string | null): Promise<Store> {
  const config = {
    databaseUrl,
    dataDir: folder === null ? null : join(folder, 'data'),
    stateDir: folder === null ? null : join(folder, 'state'),
    postgresBinDir: process.env['POSTGRES_BIN_DIR'] ?? null,
    postgresUser: process.env['POSTGRES_USER'] ?? null,
    checkoutDir,
    fsync: false,
  }
  return openStore(config, { info: () => undefined, warn: console.warn, error: console.error })
}

async function dropLeftoverDatabases(session: pg.Client): Promise<void> {
  const { rows } = await session.query<{ datname: string }>(String.raw`
    SELECT datname FROM pg_database WHERE datname LIKE 'test\_%'`)
  const runs = new Set(
    rows.map((row) => databaseName.exec(row.datname)?.groups?.['run']).filter((run) => run !== undefined),
  )
  for (const run of runs) {
    // The lock of a living run, including this one, is not free.
    const { rows: answers } = await session.query<{ free: boolean }>(
      'SELECT pg_try_advisory_lock_shared($1, $2) AS free',
      [runLock, Number(run)],
    )
    if (answers[0]?.free !== true) continue
    await dropDatabases(session, Number(run))
    await session.query('SELECT pg_advisory_unlock_shared($1, $2)', [runLock, Number(run)])
  }
}

async function dropDatabases(session: pg.Client, run: number): Promise<void> {
  const { rows } = await session.query<{ name: string }>(
    'SELECT quote_ident(datname) AS name FROM pg_database WHERE starts_with(datname, $1)',
    [`test_${run}_`],
  )
  for (const { name } of rows) await session.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
}
