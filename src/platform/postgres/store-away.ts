import { OutboundError } from '../outbound/outbound-error.ts'
import { errorCode } from './store-error.ts'

const connectionErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  // A host in the same network that is gone is not silent: the system finds nobody at its address after three seconds.
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ECONNABORTED',
  'ENOTFOUND',
  'EAI_AGAIN',
])
/** PostgreSQL, appendix A: class 08 (connection), 57P (shutdown, restart), 25P03 and 25P04 (a session that was idle too long). */
const endedStates = /^(08...|57P..|25P0[34])$/
/** The driver's messages for a session that was lost or never opened. */
const endedMessages = [
  'Connection terminated',
  'Client has encountered a connection error',
  'Client was closed',
  'timeout expired',
  // of address/find-host.ts
  'no host of the database accepts the session',
  'the server is a standby',
  'the server is no standby',
]
/**
 * Class 53 (no memory, disk or session free), 58030 (a file cannot be written), 57014 and 55P03 (a statement or a lock took too
 * long), 25006 (the server only reads: a standby takes over). `no_room`: the first of them, as StoreError says it.
 */
const passingStates = /^(53...|58030|57014|55P03|25006|no_room)$/
/** Of these, what no statement brings about by itself: the disk is full or broken, no session free, somebody else's lock, a standby. */
const othersStates = /^(53[13]00|58030|55P03|25006|no_room)$/
/** PgBouncer, of `max_client_conn`. */
const poolerIsFull = 'no more connections allowed'
const poolExhausted = 'timeout exceeded when trying to connect'

/** Whether the session with the store ended or could not be opened. What it was doing did not happen, or may not have. */
export function isSessionLost(error: unknown): boolean {
  return someCause(error, (at, code) => {
    if (connectionErrors.has(code) || endedStates.test(code)) return true
    return isSocketUnopened(at, code) || endedMessages.some((start) => at.message.startsWith(start))
  })
}

/** A socket that is gone, whose server is full, or that this process has no file or port left for. */
const unopened = new Set(['ENOENT', 'EAGAIN', 'EMFILE', 'ENFILE', 'ENOBUFS', 'EADDRNOTAVAIL'])

/** A missing file elsewhere is not the store's. An error that crossed a process border has only its message. */
function isSocketUnopened(error: Error, code: string): boolean {
  return unopened.has(code) && error.message.startsWith(`connect ${code}`)
}

/** Whether the store could not be reached or was full: worth retrying later. */
export function isStoreAway(error: unknown): boolean {
  return (
    isSessionLost(error) ||
    someCause(error, ({ message }, code) => passingStates.test(code) || message.startsWith(poolExhausted))
  )
}

/** Whether the store can do nothing for now, whatever it is asked: what failed is worth doing again until it can. */
export function isStoreBusy(error: unknown): boolean {
  return someCause(error, ({ message }, code) => othersStates.test(code) || message.startsWith(poolExhausted))
}

/** Of opening a session: none is free, the server is just starting, or somebody ended the session as it began. */
const refusedStates = new Set(['53300', '57P03', '57P01'])

/** Whether the server, or a pooler in front of it, does not open a session now: worth retrying in a moment. */
export function isSessionRefused(error: unknown): boolean {
  return someCause(error, ({ message }, code) => refusedStates.has(code) || message.startsWith(poolerIsFull))
}

/**
 * Callers add context to errors, so the telling one may be a cause, or one of two where what was held could not be given back either. A failure to
 * reach another host is not the store's fault.
 */
function someCause(error: unknown, tells: (error: Error, code: string) => boolean, depth = 0): boolean {
  if (!(error instanceof Error) || error instanceof OutboundError || depth === maxDepth) return false
  if (tells(error, errorCode(error) ?? '')) return true
  const behind = error instanceof SuppressedError ? [error.suppressed, error.error] : [error.cause]
  return behind.some((one) => someCause(one, tells, depth + 1))
}

const maxDepth = 5
