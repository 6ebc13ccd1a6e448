import { parentPort, workerData } from 'node:worker_threads'
import pino from 'pino'
import { limits } from '../contract/limits.ts'
import type { Tables } from '../database/tables.ts'
import { createClock } from '../platform/clock.ts'
import { createPool, createQueries } from '../platform/postgres/pool.ts'
import type { Answer, ParserStart, TaskFile } from './messages.ts'
import { performFile } from './perform-file.ts'

/** The thread of the large lane: one file after the other, beside the small ones. Started by large-lane.ts. */

const port = parentPort
if (port === null) throw new Error('large-thread.ts runs as a thread of the parser child')

export type LargeThreadData = ParserStart & { logLevel: string }

const { connection, clockOffsetFile, logLevel } = workerData as LargeThreadData
const base = { role: 'parser', lane: 'large', pid: process.pid }
const log = pino(
  { level: logLevel, base, timestamp: pino.stdTimeFunctions.isoTime },
  pino.destination({ fd: 1, sync: true }),
)
const pool = createPool(connection, { max: 2, applicationName: 'sbom-monitor parser large', log })
const db = createQueries<Tables>(pool)
const bounds = { maxFileBytes: limits.bodyDecompressedBytes, clock: createClock(clockOffsetFile) }

port.on('message', (file: TaskFile) => {
  void performFile(db, file, bounds).then((answer: Answer) => {
    port.postMessage(answer)
    // The trees of two large files must never stand in memory together; only this flavour gives the pages back. It takes tenths
    // of a second, for which the next file waits and not this answer.
    globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  })
})
