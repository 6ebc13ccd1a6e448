import { Counter, type Registry } from 'prom-client'
import type { Logger } from 'pino'
import { prefix } from './metrics.ts'

const kinds = { unhandledRejection: 'rejection', uncaughtException: 'exception' } as const

/** Counts errors that nobody caught. */
export type UnexpectedErrors = Counter<'kind'>

/** The counter of a process, with every kind at 0: an alert sees the first one. */
export function addUnexpectedErrors(registry: Registry): UnexpectedErrors {
  const errors: UnexpectedErrors = new Counter({
    name: `${prefix}unexpected_errors_total`,
    help: 'Errors that nobody caught, by kind: a rejection of a promise, or an exception. Each is a defect.',
    labelNames: ['kind'],
    registers: [registry],
  })
  for (const kind of Object.values(kinds)) errors.inc({ kind }, 0)
  return errors
}

type Outliving = { process: Pick<NodeJS.Process, 'on'>; log: Logger; errors: UnexpectedErrors }

/**
 * From now on an uncaught error is logged and counted and does not end the process: it comes from one request or one job of many.
 * Call this once the process has started, because a failed start has to end it.
 */
export function outliveUnexpectedErrors({ process, log, errors }: Outliving): void {
  for (const [event, kind] of Object.entries(kinds))
    process.on(event, (error: unknown) => {
      errors.inc({ kind })
      log.error({ err: error, kind }, 'nobody caught this error')
    })
}
