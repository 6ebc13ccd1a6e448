import { readdirSync } from 'node:fs'
import type { Logger } from 'pino'
import type { Db } from '../database/connection.ts'
import type { Tables } from '../database/tables.ts'
import { createClock } from '../platform/clock.ts'
import { openOriginals } from '../originals/configured.ts'
import { createPool, createQueries } from '../platform/postgres/pool.ts'
import { lanes, type Lane } from './lanes.ts'
import { lowerPriority } from './lower-priority.ts'
import type { FromChild, ParserStart, TaskFile, ToChild } from './messages.ts'
import { performFile } from './perform-file.ts'
import type { TaskBounds } from './tasks.ts'

type Reader = { lane: Lane; db: Db; bounds: TaskBounds }

/**
 * One of the two parser children of an HTTP process: reads and stores uploaded files of one lane, so that no hostile body can block or
 * end the process that answers. Started by `startParser`; returns when that one is done with it or gone.
 */
export async function runParserChild(lane: Lane, log: Logger): Promise<void> {
  lowerOwnPriority()
  ignoreSignals()
  log.info({ lane }, startWords[lane])
  const start = await firstMessage()
  if (start !== null) await readFiles(openReader(lane, start, log))
  if (process.connected) process.disconnect()
}

async function readFiles(reader: Reader): Promise<void> {
  const done = Promise.withResolvers<undefined>()
  process.on('message', (message: ToChild) => {
    if (message.type === 'file') void readFile(reader, message)
    if (message.type === 'stop') done.resolve(undefined)
  })
  // The HTTP process is gone: nobody is left to be answered.
  process.on('disconnect', () => done.resolve(undefined))
  say({ type: 'ready' })
  await done.promise
  await reader.db.destroy()
  await reader.bounds.originals.store?.close()
}

const startWords: Record<Lane, string> = {
  small: 'parser started',
  large: 'parser of large files started',
}

/**
 * It tells which store to write; files follow once the child has said that it is ready. Null: its parent could not open the store, or is
 * gone.
 */
function firstMessage(): Promise<ParserStart | null> {
  return new Promise((resolve, reject) => {
    process.once('disconnect', () => resolve(null))
    process.once('message', (message: ToChild) => {
      if (message.type === 'start') resolve(message)
      else if (message.type === 'stop') resolve(null)
      else reject(new Error(`the parser child expected to be started, not "${message.type}"`))
    })
  })
}

function openReader(
  lane: Lane,
  { connection, clockOffsetFile, sessions, originals }: ParserStart,
  log: Logger,
): Reader {
  const applicationName = lane === 'small' ? 'sbom-monitor parser' : 'sbom-monitor parser large'
  const pool = createPool(connection, { max: sessions, applicationName, log, pipeline: true })
  const { maxFileBytes } = lanes[lane]
  return {
    lane,
    db: createQueries<Tables>(pool),
    bounds: {
      maxFileBytes,
      clock: createClock(clockOffsetFile),
      originals: openOriginals(originals, {
        log,
        onFailure: (call) => say({ type: 'object_store_failed', call }),
      }),
    },
  }
}

async function readFile({ lane, db, bounds }: Reader, file: TaskFile): Promise<void> {
  const { id } = file
  say({ type: 'begun', id })
  say({ type: 'answer', id, answer: await performFile(db, file, bounds) })
  if (lane === 'small') return
  // Bytes and text lie outside of the heap and its bound: those of two files must never be in memory together.
  globalThis.gc?.()
  say({ type: 'free', residentBytes: process.memoryUsage.rss() })
}

function say(message: FromChild): void {
  if (process.connected) process.send?.(message)
}

/**
 * Linux keeps a priority per thread, so each of them is lowered, the collector's too; later ones inherit it.
 * Elsewhere the process has one.
 */
function lowerOwnPriority(): void {
  if (process.platform !== 'linux') {
    lowerPriority()
    return
  }
  for (const thread of readdirSync('/proc/self/task')) lowerPriority(Number(thread))
}

/** A signal to the process group or the container is the HTTP process's to act on: it lets accepted files finish. */
function ignoreSignals(): void {
  process.on('SIGINT', () => undefined)
  process.on('SIGTERM', () => undefined)
  process.on('SIGHUP', () => undefined)
}
