import { execFile } from 'node:child_process'
import { chown, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { runAs, type ServerAccount, serverEnvironment } from './account.ts'
import type { Binaries } from './binaries.ts'
import { explainFullDisk } from './full-disk.ts'
import type { Places } from './places.ts'
import { errorCode, StoreError } from '../store-error.ts'

/** The superuser of an embedded server: prepares the store and holds the usage lock. Nothing that serves a request uses it. */
export const serverRole = 'svc'

type ClusterQuestion = { places: Places; binaries: Binaries; account: ServerAccount | null; fsync: boolean }

/**
 * Makes sure that PostgreSQL's directory exists and fits the binaries. It is built under another name and renamed, so
 * that a start cut short leaves nothing that looks finished. Call it under the start lock. Returns whether it is new.
 * Throws `version_mismatch`, `directory_unusable`, `not_ready`.
 */
export async function ensureCluster(question: ClusterQuestion): Promise<boolean> {
  const { places, binaries } = question
  const major = await clusterMajor(places.clusterDir)
  if (major === binaries.major) return false
  if (major !== null) {
    throw new StoreError(
      'version_mismatch',
      `The data in ${places.clusterDir} were written by PostgreSQL ${major}; the programs here are ${binaries.major}. ` +
        'Run the matching PostgreSQL (POSTGRES_BIN_DIR), make a backup, and restore it into a new data directory.',
    )
  }
  await createCluster(question)
  return true
}

/** Null when there is no directory yet. */
async function clusterMajor(clusterDir: string): Promise<number | null> {
  try {
    return Number.parseInt(await readFile(join(clusterDir, 'PG_VERSION'), 'utf8'), 10)
  } catch (cause) {
    if (errorCode(cause) !== 'ENOENT') throw cause
    const isEmptyPlace = await stat(clusterDir).then(
      () => false,
      () => true,
    )
    if (isEmptyPlace) return null
    throw new StoreError(
      'directory_unusable',
      `${clusterDir} exists and is not a PostgreSQL data directory. Move it away.`,
      { cause },
    )
  }
}

async function createCluster({ places, binaries, account, fsync }: ClusterQuestion): Promise<void> {
  const unfinished = `${places.clusterDir}.new`
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(unfinished, { mode: 0o700 })
  if (account !== null) await chown(unfinished, account.uid, account.gid)
  const durability = fsync ? [] : ['--no-sync']
  const choices = ['--auth=trust', '--locale=C', '--encoding=UTF8', '--data-checksums', '--no-instructions']
  await promisify(execFile)(
    binaries.initdb,
    ['-D', unfinished, '-U', serverRole, ...choices, ...durability],
    {
      cwd: '/',
      env: serverEnvironment,
      ...runAs(account),
    },
  ).catch((cause: unknown) => {
    throw new StoreError('not_ready', explainInitdb(places.dataDir, cause), { cause })
  })
  await rename(unfinished, places.clusterDir)
  if (fsync) await syncFolder(places.dataDir)
}

function explainInitdb(dataDir: string, cause: unknown): string {
  if (!hasPasswdEntry()) {
    return (
      'PostgreSQL cannot create its data directory: the user id of this process has no entry in the passwd file. ' +
      'Add one, or give the address of a server in DATABASE_URL.'
    )
  }
  const reason = cause instanceof Error ? cause.message : 'unknown error'
  return explainFullDisk(
    dataDir,
    `PostgreSQL could not create its data directory in ${dataDir}: ${reason.slice(0, 2000)}`,
  )
}

function hasPasswdEntry(): boolean {
  try {
    userInfo()
    return true
  } catch {
    return false
  }
}

/** Makes the new name itself survive a power cut. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
