import pino, { type Logger } from 'pino'
import type { Config } from './config/config.ts'
import { redactLine } from './redact.ts'

/**
 * JSON lines on standard output for roles, on standard error for commands whose output is data; those say by default only what went
 * wrong.
 */
export function createLog(
  config: Pick<Config, 'logLevel'>,
  { role, stream }: { role: string; stream: 'stdout' | 'stderr' },
): Logger {
  return pino(
    {
      level: config.logLevel ?? (stream === 'stdout' ? 'info' : 'warn'),
      base: { role, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      // one list of what must never be written
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
      // and whatever finds its way into a text
      hooks: { streamWrite: redactLine },
    },
    pino.destination({ fd: stream === 'stdout' ? 1 : 2, sync: stream === 'stderr' }),
  )
}
