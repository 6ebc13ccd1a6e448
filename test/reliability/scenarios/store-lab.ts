import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectionUrl } from '../../../src/platform/postgres/pool.ts'
import { openSession } from '../../../src/platform/postgres/session.ts'
import { openStore } from '../../../src/platform/postgres/store.ts'
import { layStore } from '../../support/prepared-store.ts'
import { startStoreProxy, type StoreProxy } from '../../support/store-proxy.ts'
import { checkoutDir } from '../../support/test-server.ts'

/** A store that a test disturbs, and access to it that bypasses the disturbance. */
export type DisturbedStore = {
  /** Environment of the service. */
  env: Record<string, string>
  /** As the server's superuser, on a new session for each query. */
  query: (statement: string) => Promise<Record<string, unknown>[]>
  /** Ends every session of the service and its helpers. */
  terminateAll: () => Promise<void>
  /** Cuts the network connections; only for a store reached over TCP. */
  cut: () => Promise<void>
  /** SIGKILL for one server process in use: PostgreSQL then ends all of them and recovers. */
  killBackend: () => Promise<void>
  /** `immediate` like a crash, `fast` cleanly; whoever runs the server restarts it. */
  restart: (manner: 'immediate' | 'fast') => Promise<void>
  close: () => Promise<void>
}

/** Reached over a network that can fall silent. */
export type RemoteStore = DisturbedStore & Pick<StoreProxy, 'silence' | 'speak'>

const superuser = 'svc'

/** The service's own embedded store; it exists once the service has started. */
export async function openEmbeddedLab(): Promise<DisturbedStore> {
  const folder = await createFolder()
  const dataDir = join(folder, 'store')
  await layStore(dataDir)
  return {
    ...disturb(dataDir, () => Promise.reject(new Error('the embedded store has no network'))),
    env: { DATA_DIR: dataDir },
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

/** A server known to the service only by its address, over TCP; this process runs it. */
export async function openExternalLab(): Promise<RemoteStore> {
  const folder = await createFolder()
  const dataDir = join(folder, 'store')
  await layStore(dataDir)
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const config = {
    databaseUrl: null,
    dataDir,
    postgresBinDir: process.env['POSTGRES_BIN_DIR'] ?? null,
    postgresUser: process.env['POSTGRES_USER'] ?? null,
    checkoutDir,
    fsync: true,
    stateDir: join(folder, 'state'),
  }
  const store = await openStore(config, silent)
  const proxy = await startStoreProxy(store.connection)
  return {
    ...disturb(dataDir, () => {
      proxy.cut()
      return Promise.resolve()
    }),
    env: { DATABASE_URL: proxy.url },
    silence: proxy.silence,
    speak: proxy.speak,
    close: async () => {
      await proxy.close()
      await store.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `sbom-monitor-test-${process.pid}-`))
  // When started by root, the server runs under another account.
  await chmod(folder, 0o755)
  return folder
}

function disturb(dataDir: string, cut: () => Promise<void>): Omit<DisturbedStore, 'env' | 'close'> {
  const query = async (statement: string): Promise<Record<string, unknown>[]> => {
    const { socketFolder, port } = await readPostmaster(dataDir)
    const connection = connectionUrl({ host: socketFolder, port, user: superuser, database: 'store' })
    const { client } = await openSession({ connectionString: connection }, { applicationName: 'disturber' })
    try {
      return (await client.query<Record<string, unknown>>(statement)).rows
    } finally {
      await client.end()
    }
  }
  return {
    query,
    cut,
    terminateAll: async () => {
      await query(
        `select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
      )
    },
    killBackend: async () => {
      const [victim] = await query(
        `select pid from pg_stat_activity where application_name like 'sbom-monitor%' order by state_change desc limit 1`,
      )
      process.kill(Number(victim?.['pid']), 'SIGKILL')
    },
    restart: async (manner) => {
      const { pid } = await readPostmaster(dataDir)
      process.kill(pid, manner === 'immediate' ? 'SIGQUIT' : 'SIGINT')
    },
  }
}

async function readPostmaster(dataDir: string): Promise<{ pid: number; socketFolder: string; port: number }> {
  const lines = (await readFile(join(dataDir, 'pgdata/postmaster.pid'), 'utf8')).split('\n')
  return { pid: Number(lines[0]), socketFolder: lines[4]?.trim() ?? '', port: Number(lines[3]) }
}
