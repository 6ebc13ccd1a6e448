import { readFile, realpath, rm } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspectProcess } from './process-state.ts'
import { errorCode, StoreError } from '../store-error.ts'

/** A unix socket: PostgreSQL names it by a folder and a port. */
type Socket = { folder: string; port: number }

/** The lock file of a server, `postmaster.pid`: one value per line (PostgreSQL, miscadmin.h, LOCK_FILE_LINE_*). */
export type PostmasterFile = {
  pid: number
  /** Null until the server has opened its socket. */
  socket: Socket | null
  status: 'starting' | 'ready' | 'stopping' | null
}

/** A server that runs on a data directory. */
export type RunningServer = { pid: number; folder: string; port: number }

/** What the lock file of a data directory means. */
export type Judgement =
  | { kind: 'absent' }
  /** A server of this directory runs; ready or not. */
  | { kind: 'live'; file: PostmasterFile }
  /** Nobody serves the directory; PostgreSQL itself replaces the file only when its process is gone. */
  | { kind: 'leftover'; reason: 'empty' | 'gone' | 'zombie' | 'unrelated' }

const socketAnswerMs = 1000
const endingMs = 2000

/** Null when the text names no process: an empty or cut file. */
export function parsePostmasterFile(text: string): PostmasterFile | null {
  const lines = text.split('\n').map((line) => line.trim())
  // A single-user server writes its id negated.
  const pid = Math.abs(Number(lines[0]))
  if (!Number.isSafeInteger(pid) || pid === 0) return null
  const port = Number(lines[3])
  const folder = lines[4] ?? ''
  const hasSocket = folder !== '' && Number.isInteger(port) && port > 0
  return { pid, socket: hasSocket ? { folder, port } : null, status: readStatus(lines[7]) }
}

function readStatus(line: string | undefined): PostmasterFile['status'] {
  if (line === 'standby') return 'ready'
  return line === 'starting' || line === 'ready' || line === 'stopping' ? line : null
}

/** Reads the lock file; null when there is none, `'empty'` when it names no process. */
export async function readPostmasterFile(clusterDir: string): Promise<PostmasterFile | 'empty' | null> {
  try {
    return parsePostmasterFile(await readFile(join(clusterDir, 'postmaster.pid'), 'utf8')) ?? 'empty'
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

/**
 * Whether a server runs on the directory. A process that cannot be seen from here (another container on the same
 * volume) still answers on its socket: that is refused as `foreign_server`, never overwritten.
 */
export async function judgePostmaster(clusterDir: string): Promise<Judgement> {
  const file = await readPostmasterFile(clusterDir)
  if (file === null) return { kind: 'absent' }
  if (file === 'empty') return { kind: 'leftover', reason: 'empty' }
  return judgeProcess(file, await realpath(clusterDir))
}

async function judgeProcess(file: PostmasterFile, clusterDir: string): Promise<Judgement> {
  const state = await inspectProcess(file.pid, clusterDir)
  if (state === 'server_of_directory') return { kind: 'live', file }
  if (file.socket !== null) await refuseAnswering(file.socket, clusterDir)
  return { kind: 'leftover', reason: state }
}

/** A server that is shutting down may answer for a moment after it has left the process table. */
async function refuseAnswering(socket: Socket, clusterDir: string): Promise<void> {
  const giveUpAt = performance.now() + endingMs
  while (await answers(socket)) {
    if (performance.now() > giveUpAt) {
      throw new StoreError(
        'foreign_server',
        `A server that this process cannot see uses ${clusterDir}: it answers in ${socket.folder}. ` +
          'It may run in another container. Stop it, or give this service a data directory of its own.',
      )
    }
    await sleep(50)
  }
}

/**
 * Removes the lock file of a server that no longer runs: PostgreSQL itself respects it for ever when it names no process,
 * or when its process id now belongs to another program or a zombie. Only for a proven leftover, under the start lock.
 */
export async function removeLeftover(clusterDir: string): Promise<void> {
  await rm(join(clusterDir, 'postmaster.pid'), { force: true })
}

/**
 * Removes the socket of a server that no longer runs. The socket's lock file names a process id too and would block the
 * start in the same way. Only once no live server was found, under the start lock. Throws `foreign_server` when it
 * answers.
 */
export async function removeLeftoverSocket(socket: Socket, clusterDir: string): Promise<void> {
  await refuseAnswering(socket, clusterDir)
  const path = socketPath(socket)
  await rm(path, { force: true })
  await rm(`${path}.lock`, { force: true })
}

async function answers(socket: Socket): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = createConnection({
      path: socketPath(socket),
      timeout: socketAnswerMs,
    })
    const settle = (isAnswered: boolean) => {
      connection.destroy()
      resolve(isAnswered)
    }
    connection.once('connect', () => settle(true))
    connection.once('timeout', () => settle(true))
    connection.once('error', () => settle(false))
  })
}

function socketPath(socket: Socket): string {
  return join(socket.folder, `.s.PGSQL.${socket.port}`)
}
