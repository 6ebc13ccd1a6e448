import { createHash } from 'node:crypto'
import { access, chmod, chown, constants, lstat, mkdir, realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { blockingDirectory, type ServerAccount } from './account.ts'
import { errorCode, StoreError } from '../store-error.ts'

/** Where everything of one embedded store lies. */
export type Places = {
  dataDir: string
  /** PostgreSQL's own directory. */
  clusterDir: string
  /** Private to the server's account, and short enough for a socket address. */
  socketDir: string
  logFile: string
  lockFile: string
}

type FolderQuestion = {
  checkoutDir: string
  dataDir: string | null
  stateDir?: string | null
}

/** The folder of the service's name below the system's or the user's state tree. */
const serviceFolder = 'sbom-monitor'
export const socketPort = 5432

/**
 * The service's state folder: `stateDir` when given, else the system's tree for root and the XDG state folder for
 * others.
 */
export function stateFolder(stateDir: string | null, ownUid: number): string {
  if (stateDir !== null) return resolve(stateDir)
  if (ownUid === 0) return join(process.platform === 'darwin' ? '/var/db' : '/var/lib', serviceFolder)
  const xdg = process.env['XDG_STATE_HOME']
  const base = xdg !== undefined && isAbsolute(xdg) ? xdg : join(homedir(), '.local', 'state')
  return join(base, serviceFolder)
}

/**
 * The data folder: the operator's, else one keyed by the checkout, so that two checkouts never share a store. Root keeps
 * it in the system's state tree, others inside the checkout or, where that is read-only, in their state folder.
 */
export async function dataFolder(question: FolderQuestion, ownUid: number): Promise<string> {
  if (question.dataDir !== null) return resolve(question.dataDir)
  const keyed = join(stateFolder(question.stateDir ?? null, ownUid), await checkoutKey(question.checkoutDir))
  if (ownUid === 0) return keyed
  const inside = join(question.checkoutDir, '.data')
  return (await exists(inside)) || (await isWritable(question.checkoutDir)) ? inside : keyed
}

/** A readable name that is unique for the real path of the checkout. */
async function checkoutKey(checkoutDir: string): Promise<string> {
  const path = await realpath(checkoutDir)
  const hash = createHash('sha256').update(path).digest('hex').slice(0, 12)
  return `${basename(path)
    .replace(/[^A-Za-z0-9_-]/g, '_')
    .slice(0, 40)}-${hash}`
}

/** The owner of data that exist already, or null. */
export async function dataOwner(dataDir: string): Promise<{ uid: number; gid: number } | null> {
  try {
    const { uid, gid } = await stat(join(dataDir, 'pgdata'))
    return { uid, gid }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw unusable(dataDir, error)
  }
}

/** Creates the data folder when missing and makes sure that the server's account gets there. */
export async function preparePlaces(dataDir: string, account: ServerAccount | null): Promise<Places> {
  await createFolder(dataDir, account)
  const real = await realpath(dataDir)
  await refuseClosedPath(real, account)
  return {
    dataDir: real,
    clusterDir: join(real, 'pgdata'),
    socketDir: socketFolder(real, account?.uid ?? ownUserId()),
    logFile: join(real, 'postgres.log'),
    lockFile: join(real, 'start.lock'),
  }
}

/** Creates a folder. Below root's, each new directory can be passed through by the server's account. */
export async function createFolder(path: string, account: ServerAccount | null): Promise<void> {
  try {
    // Created with its final mode: a process that starts at the same time may look at it before the next step.
    const first = await createMissing(path, account === null ? 0o700 : 0o755)
    await access(path, constants.W_OK)
    if (first === undefined || account === null) return
    // The process's mask may have closed it.
    for (let at = path; at.length >= first.length; at = dirname(at)) await chmod(at, 0o755)
  } catch (error) {
    throw unusable(path, error)
  }
}

/**
 * Creates a folder and those above it that are missing, and returns the first that was. One after the other: Node's own
 * `recursive` tries for ever where a file system takes no folders and says that they do not exist (/proc).
 */
async function createMissing(path: string, mode: number): Promise<string | undefined> {
  const missing: string[] = []
  for (let at = path; !(await exists(at)); at = dirname(at)) missing.unshift(at)
  if (missing.length === 0) await createOne(path, mode)
  for (const folder of missing) await createOne(folder, mode)
  return missing[0]
}

/** Another process may make it, too. */
async function createOne(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, { mode })
  } catch (error) {
    const isThere = await stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    )
    if (!isThere) throw error
  }
}

function unusable(path: string, cause: unknown): StoreError {
  return new StoreError(
    'directory_unusable',
    `The data directory ${path} cannot be used (${errorCode(cause) ?? 'unknown error'}). Name one in DATA_DIR that this user may write, or give the address of a server in DATABASE_URL.`,
    { cause },
  )
}

const openingMs = 200

async function refuseClosedPath(dataDir: string, account: ServerAccount | null): Promise<void> {
  let blocking = await blockingDirectory(dataDir, account)
  if (blocking === null || account === null) return
  // Another process may just have made it.
  await sleep(openingMs)
  blocking = await blockingDirectory(dataDir, account)
  if (blocking === null) return
  throw new StoreError(
    'directory_closed',
    `The data directory ${dataDir} cannot be used: PostgreSQL runs as "${account.name}" (it refuses root), ` +
      `and ${blocking} does not let that account through. Name another directory in DATA_DIR, or allow it: chmod o+x ${blocking}.`,
  )
}

/** Beside the data when the path is short enough for a socket address, otherwise below /tmp under a unique name. */
function socketFolder(dataDir: string, uid: number): string {
  const beside = join(dataDir, 'socket')
  if (fitsSocketAddress(beside)) return beside
  return `/tmp/${serviceFolder}-${uid}-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`
}

/** Creates the socket folder. Call it under the start lock: it belongs to the server's account only after a moment. */
export async function prepareSocketFolder(folder: string, account: ServerAccount | null): Promise<void> {
  const uid = account?.uid ?? ownUserId()
  const isNew = await createOnce(folder)
  if (isNew && account !== null) await chown(folder, account.uid, account.gid)
  const found = await lstat(folder)
  // If somebody else made the folder first, it could contain somebody else's server.
  if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o077) !== 0) {
    throw new StoreError(
      'directory_unusable',
      `The socket directory ${folder} must be a directory of uid ${uid} with mode 0700. Remove it.`,
    )
  }
}

/** The longest socket address is 107 bytes on Linux and 103 on macOS (sockaddr_un). */
export function fitsSocketAddress(folder: string): boolean {
  const longest = process.platform === 'darwin' ? 103 : 107
  return Buffer.byteLength(join(folder, `.s.PGSQL.${socketPort}`)) <= longest
}

async function createOnce(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o700 })
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw unusable(folder, error)
  }
}

export function ownUserId(): number {
  if (process.getuid === undefined) {
    throw new StoreError(
      'binaries_unusable',
      'The embedded database needs Linux or macOS. Give the address of a PostgreSQL server in DATABASE_URL.',
    )
  }
  return process.getuid()
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

async function isWritable(path: string): Promise<boolean> {
  return access(path, constants.W_OK).then(
    () => true,
    () => false,
  )
}
