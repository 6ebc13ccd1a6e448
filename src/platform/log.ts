import { setTimeout as sleep } from 'node:timers/promises'
import pino, { type Logger } from 'pino'
import type { Config } from './config/config.ts'
import { redactLine } from './redact.ts'

type Destination = {
  role: string
  stream: 'stdout' | 'stderr'
  /** Called when lines can no longer be written, but not when their reader has gone. */
  onLost?: (error: Error) => void
}

/** Characters that wait for a reader; later lines are lost, and counted. */
const maxWaitingCharacters = 16 * 1024 * 1024

/** A log that can be ended. */
export type EndingLog = {
  log: Logger
  /** Writes what waits. False: its reader has not taken it in time, and a write that waits for one cannot be given up. */
  end: (withinMs: number) => Promise<boolean>
}

export function createLog(config: Pick<Config, 'logLevel'>, destination: Destination): Logger {
  return openLog(config, destination).log
}

/**
 * JSON lines on standard output for roles, on standard error for commands whose output is data; by default those log only what went
 * wrong.
 */
export function openLog(config: Pick<Config, 'logLevel'>, { role, stream, onLost }: Destination): EndingLog {
  const sync = stream === 'stderr'
  const destination = pino.destination({
    fd: sync ? 2 : 1,
    sync,
    ...(sync ? {} : { maxLength: maxWaitingCharacters }),
  })
  const ended = Promise.withResolvers<true>()
  destination.on('close', () => ended.resolve(true))
  if (onLost !== undefined)
    destination.on('error', (error: NodeJS.ErrnoException) => {
      // otherwise it would retry at the end of the process until it can
      silence(destination)
      ended.resolve(true)
      if (!isReaderGone(error, process.stdout)) onLost(error)
    })
  const log = pino(
    {
      level: config.logLevel ?? (stream === 'stdout' ? 'info' : 'warn'),
      base: { role, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      // the one list of what must never be written
      redact: {
        paths: [
          'req.headers.authorization',
          'req.headers["x-api-key"]',
          'req.headers.cookie',
          '*.password',
          '*.secret',
          '*.token',
        ],
        censor: '[redacted]',
      },
      // and whatever finds its way into text
      hooks: { streamWrite: redactLine },
    },
    destination,
  )
  tellOfLostLines(destination, log)
  const end = (withinMs: number) => {
    destination.end()
    return Promise.race([ended.promise, sleep(withinMs, false, { ref: false })])
  }
  return { log, end }
}

/** A pipe that nobody reads any more, or a terminal that was closed. */
export function isReaderGone({ code }: NodeJS.ErrnoException, { isTTY }: { isTTY?: boolean }): boolean {
  return code === 'EPIPE' || (code === 'EIO' && isTTY === true)
}

/** Nothing is written any more, and nobody is refused who would: as pino does for a pipe that nobody reads. */
function silence(destination: ReturnType<typeof pino.destination>): void {
  const nothing = () => undefined
  Object.assign(destination, {
    write: () => true,
    end: nothing,
    flushSync: nothing,
    destroy: nothing,
  })
}

function tellOfLostLines(destination: ReturnType<typeof pino.destination>, log: Logger): void {
  let lines = 0
  destination.on('drop', () => {
    lines += 1
  })
  destination.on('drain', () => {
    if (lines === 0) return
    log.warn({ lines }, 'lines of the log were lost: nobody read them for too long')
    lines = 0
  })
}
