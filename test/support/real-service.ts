import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { runCommand } from './command.ts'
import { layStore } from './prepared-store.ts'
import { startService, type Service } from './service.ts'
import type { Query } from './upload-history.ts'

type Provisioned = { workspaces: { families: { tokens: { token: string }[] }[] }[] }

/** The service in processes of its own on an embedded store of its own, with `fsync` on, and upload tokens to use it with. */
export type RealService = {
  service: Service
  /** One upload token per family, each family and token good for sixty requests an hour. */
  tokens: string[]
  /** DATA_DIR, for further processes on the same store. */
  dataDir: string
  /** One question to the store, on a session of its own. */
  query: Query
  /** SIGKILL for the store's own server. */
  killStore: () => Promise<void>
  close: () => Promise<void>
}

type Options = { families: number; env?: Record<string, string>; role?: 'all' | 'serve' }

export async function startRealService({ families, env = {}, role = 'all' }: Options): Promise<RealService> {
  const folder = await mkdtemp(join(tmpdir(), 'sbom-monitor-service-'))
  // Started by root, the store's server runs under another account.
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
