import { spawn } from 'node:child_process'
import { open, rename, stat } from 'node:fs/promises'
import { release, totalmem } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BaseLogger } from 'pino'
import { runAs, type ServerAccount, serverEnvironment } from './embedded/account.ts'
import { type Binaries, prepareBinaries } from './embedded/binaries.ts'
import { ensureCluster } from './embedded/cluster.ts'
import { explainFullDisk, lastWords } from './embedded/full-disk.ts'
import { type Places, prepareSocketFolder, socketPort } from './embedded/places.ts'
import {
  judgePostmaster,
  readPostmasterFile,
  removeLeftover,
  removeLeftoverSocket,
  type RunningServer,
} from './embedded/postmaster-file.ts'
import { inspectProcess } from './embedded/process-state.ts'
import { settingArguments } from './embedded/settings.ts'
import { withStartLock } from './embedded/start-lock.ts'
import { StoreError } from './store-error.ts'

export type StoreLog = Pick<BaseLogger, 'info' | 'warn' | 'error'>

/** One embedded server: where it lies and how it is run. */
export type ServerPlan = {
  places: Places
  account: ServerAccount | null
  checkoutDir: string
  postgresBinDir: string | null
  stateDir: string
  fsync: boolean
}

/** Only the recovery of a large store after a crash takes minutes. */
const readyPatienceMs = 5 * 60_000
/** Stopping writes everything out first. It continues by itself when this process exits earlier. */
const stopPatienceMs = 10_000
/** How long the processes of a killed server may take to notice. */
const orphanPatienceMs = 15_000
const pollMs = 10
/** Of its log, to find why it did not start. */
const logTailBytes = 64 * 1024
const maxLogBytes = 10 * 1024 * 1024

/**
 * Finds the running server of the data folder or starts one, creating the data when there are none.
 * Concurrent callers, in this process or others, get the same server. Throws StoreError.
 */
export async function ensureServer(plan: ServerPlan, log: StoreLog): Promise<RunningServer> {
  return withStartLock(plan.places.lockFile, readyPatienceMs, async () => {
    const adopted = await adoptServer(plan.places.clusterDir, log)
    if (adopted !== null) return adopted
    const { clusterDir, socketDir } = plan.places
    await prepareSocketFolder(socketDir, plan.account)
    await removeLeftoverSocket({ folder: socketDir, port: socketPort }, clusterDir)
    const binaries = await prepareBinaries(plan)
    const isNew = await ensureCluster({ ...plan, binaries })
    const server = await startServer(plan, binaries)
    log.info(
      { dataDir: plan.places.dataDir, serverPid: server.pid, isNew, major: binaries.major },
      'database server started',
    )
    return server
  })
}

/** Null when nobody serves the directory and a start will not be refused. */
async function adoptServer(clusterDir: string, log: StoreLog): Promise<RunningServer | null> {
  const giveUpAt = performance.now() + readyPatienceMs
  for (;;) {
    const judgement = await judgePostmaster(clusterDir)
    if (judgement.kind === 'absent') return null
    if (judgement.kind === 'leftover') {
      if (judgement.reason !== 'gone') {
        log.warn({ reason: judgement.reason }, 'removed the lock file of a server that no longer runs')
        await removeLeftover(clusterDir)
      }
      return null
    }
    const { pid, socket, status } = judgement.file
    if (status === 'ready' && socket !== null) return { pid, ...socket }
    if (performance.now() > giveUpAt) {
      throw new StoreError(
        'not_ready',
        `The database server (process ${pid}) has been "${status ?? 'unknown'}" too long.`,
      )
    }
    await sleep(pollMs)
  }
}

async function startServer(plan: ServerPlan, binaries: Binaries): Promise<RunningServer> {
  const giveUpAt = performance.now() + orphanPatienceMs
  for (;;) {
    const attempt = await launch(plan, binaries)
    if (attempt.server !== null) return attempt.server
    // The processes of a killed server keep its memory until each has noticed that the server is gone.
    const isOrphaned = attempt.output.includes('pre-existing shared memory block')
    if (!isOrphaned || performance.now() > giveUpAt) {
      throw new StoreError(
        'not_ready',
        explainFullDisk(
          plan.places.dataDir,
          `The database server did not start; its log ${plan.places.logFile} ends: ${attempt.output}`,
        ),
      )
    }
    await sleep(200)
  }
}

type Attempt = { server: RunningServer; output: '' } | { server: null; output: string }

/**
 * Starts the server in a session of its own, so that neither a terminal's signals nor the end of this process reach it,
 * and its log does not depend on this process.
 */
async function launch(plan: ServerPlan, binaries: Binaries): Promise<Attempt> {
  const { places, account } = plan
  await keepLogSmall(places.logFile)
  const logFile = await open(places.logFile, 'a+', 0o600)
  try {
    const logStart = (await logFile.stat()).size
    const settings = settingArguments({
      major: binaries.major,
      socketDir: places.socketDir,
      port: socketPort,
      fsync: plan.fsync,
      memoryBytes: Math.min(totalmem(), process.constrainedMemory()),
      linux: process.platform === 'linux' ? release() : null,
    })
    const child = spawn(binaries.postgres, ['-D', places.clusterDir, ...settings], {
      cwd: '/',
      env: serverEnvironment,
      detached: true,
      stdio: ['ignore', logFile.fd, logFile.fd],
      ...runAs(account),
    })
    const ends: string[] = []
    child.once('error', (error) => ends.push(error.message))
    child.once('exit', (code, signal) => ends.push(`ended with ${code ?? signal ?? 'no code'}`))
    child.unref()
    const server = await waitUntilReady(places.clusterDir, child.pid ?? 0, () => ends.length > 0)
    if (server !== null) return { server, output: '' }
    return {
      server: null,
      output: `${await readEnd(logFile, logStart)} (${ends[0] ?? 'not ready in time'})`,
    }
  } finally {
    await logFile.close()
  }
}

/** Null when the process ended or was not ready in time. */
async function waitUntilReady(
  clusterDir: string,
  pid: number,
  hasEnded: () => boolean,
): Promise<RunningServer | null> {
  const giveUpAt = performance.now() + readyPatienceMs
  while (!hasEnded() && performance.now() < giveUpAt) {
    const file = await readPostmasterFile(clusterDir)
    const isOurs = file !== null && file !== 'empty' && file.pid === pid
    if (isOurs && file.status === 'ready' && file.socket !== null) return { pid, ...file.socket }
    await sleep(pollMs)
  }
  return null
}

type OpenFile = Awaited<ReturnType<typeof open>>

/** What the server wrote last, since `position`; sessions that it refused while it started bury the reason. */
async function readEnd(file: OpenFile, position: number): Promise<string> {
  const { size } = await file.stat()
  const buffer = Buffer.alloc(logTailBytes)
  const { bytesRead } = await file.read(buffer, 0, buffer.length, Math.max(position, size - buffer.length))
  return lastWords(buffer.toString('utf8', 0, bytesRead))
}

async function keepLogSmall(logFile: string): Promise<void> {
  const size = await stat(logFile).then(
    (found) => found.size,
    () => 0,
  )
  if (size > maxLogBytes) await rename(logFile, `${logFile}.1`)
}

/**
 * Shuts a server down: no new sessions, the open ones ended, everything written out. Only for its last user. Returns
 * false when it is still stopping after ten seconds; it then continues without us.
 */
export async function stopServer(clusterDir: string, pid: number): Promise<boolean> {
  if ((await inspectProcess(pid, clusterDir)) !== 'server_of_directory') return true
  process.kill(pid, 'SIGINT')
  const giveUpAt = performance.now() + stopPatienceMs
  while (performance.now() < giveUpAt) {
    const state = await inspectProcess(pid, clusterDir)
    if (state !== 'server_of_directory') return true
    await sleep(pollMs)
  }
  return false
}
