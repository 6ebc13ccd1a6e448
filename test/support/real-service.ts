import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { runCommand } from './command.ts'
import { layStore } from './prepared-store.ts'
import { startService, type Service } from './service.ts'
import type { Query } from './upload-history.ts'

type Provisioned = { workspaces: { families: { tokens: { token: string }[] }[] }[] }

/** The service in its own processes on its own embedded store, with `fsync` on, and upload tokens. */
export type RealService = {
  service: Service
  /** One upload token per family; family and token are each limited to sixty requests an hour. */
  tokens: string[]
  /** DATA_DIR, for further processes on the same store. */
  dataDir: string
  /** Runs a query on a new session. */
  query: Query
  /** SIGKILL for the database server. */
  killStore: () => Promise<void>
  close: () => Promise<void>
}

type Options = { families: number; env?: Record<string, string>; role?: 'all' | 'serve' }

export async function startRealService({ families, env = {}, role = 'all' }: Options): Promise<RealService> {
  const folder = await mkdtemp(join(tmpdir(), 'sbom-monitor-service-'))
  // When started by root, the server runs under another account.
  await chmod(folder, 0o755)
  const dataDir = join(folder, 'store')
  await layStore(dataDir)
  const service = await startService({
    env: { DATA_DIR: dataDir, DATABASE_URL: '', LOG_LEVEL: 'error', ...env },
    role,
  })
  let connectionString: string | undefined
  const { workspaces } = await runCommand<Provisioned>(service.env, ['provision'], provisioning(families))
  return {
    service,
    tokens: workspaces.flatMap((workspace) =>
      workspace.families.flatMap((family) => family.tokens.map(({ token }) => token)),
    ),
    dataDir,
    query: async (statement) => {
      connectionString ??= (await runCommand<{ databaseUrl: string }>(service.env, ['store'])).databaseUrl
      const session = new pg.Client({ connectionString })
      await session.connect()
      try {
        return (await session.query<Record<string, unknown>>(statement)).rows
      } finally {
        await session.end()
      }
    },
    killStore: async () => {
      const pidFile = await readFile(join(dataDir, 'pgdata/postmaster.pid'), 'utf8')
      process.kill(Number(pidFile.split('\n')[0]), 'SIGKILL')
    },
    close: async () => {
      await service.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function provisioning(families: number) {
  const made = Array.from({ length: families }, (_, index) => ({
    name: `family ${index}`,
    tokens: [{ name: 'ci' }],
  }))
  const workspace = {
    slug: 'acme',
    companyName: 'Acme',
    securityContactEmail: 's@acme.example',
    plan: 'core',
  }
  return { workspaces: [{ ...workspace, families: made }] }
}
