import pino, { type Logger } from 'pino'
import type { Config } from './config/config.ts'
import { redactLine } from './redact.ts'

type Destination = {
  role: string
  stream: 'stdout' | 'stderr'
  /** Called when lines can no longer be written, but not when their reader has gone. */
  onLost?: (error: Error) => void
}

/**
 * JSON lines on standard output for roles, on standard error for commands whose output is data; by default those log only what went
 * wrong.
 */
export function createLog(config: Pick<Config, 'logLevel'>, { role, stream, onLost }: Destination): Logger {
  const destination = pino.destination({ fd: stream === 'stdout' ? 1 : 2, sync: stream === 'stderr' })
  if (onLost !== undefined)
    destination.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') return
      // otherwise it would retry at the end of the process until it can
      destination.destroy()
      onLost(error)
    })
  return pino(
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
}
