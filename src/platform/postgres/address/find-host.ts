import { wantsEncryption } from '../pooler/refusal-of-pooler.ts'
import { errorCode } from '../store-error.ts'
import type { DatabaseAddress, Host } from './address.ts'
import type { HostMemory } from './host-memory.ts'
import { encryptionsOf, noTlsSaying, type Encryption } from './tls.ts'

const unfit = {
  standby: 'the server is a standby, which accepts no writes',
  'read-only': 'the server is set to read only, which accepts no writes',
  primary: 'the server is no standby',
  replaced: 'another host has become the primary of the database',
  unbound: 'the server does not bind the password to its certificate, which channel_binding=require asks for',
}

/** A server that was reached and is not what is asked for. The code is of class 08, connection. */
export class UnfitHost extends Error {
  readonly code = '08004'
  /** Another one may fit. */
  readonly isOther: boolean

  constructor(is: keyof typeof unfit) {
    super(unfit[is])
    this.name = 'UnfitHost'
    this.isOther = is !== 'unbound'
  }
}

/** None of several hosts opened the session. The cause is the failure that says most about what to do next. */
export class NoHost extends Error {
  readonly tried: readonly Tried[]

  constructor(tried: readonly Tried[]) {
    const words = tried.map(({ host, error }) => `${nameOf(host)}: ${messageOf(error)}`)
    super(`no host of the database accepts the session (${words.join('; ')})`, { cause: mostTelling(tried) })
    this.name = 'NoHost'
    this.tried = tried
  }
}

type Tried = { host: Host; error: unknown }

/** The outcome of an attempt, beside its error. */
export type Failure = {
  error: unknown
  /** The server was reached, whatever it said then. */
  isReached: boolean
  /** The host took longer than it was given. */
  isLate: boolean
}

export type Attempt = { host: Host; encryption: Encryption; limitMs: number }

type Search = {
  memory: HostMemory
  /** For all hosts together. */
  patienceMs: number
  /** Opens the session; null when it is open and fit. */
  attempt: (attempt: Attempt) => Promise<Failure | null>
}

/** The time that a host gets at first when there are others; one that is only busy gets more in the next round. */
const firstLimitMs = 2_000

/**
 * Tries the hosts of an address in turn until one opens the session, as libpq does: one that cannot be reached, takes too long, is just
 * starting, or is not what was asked for is skipped; one that refuses the role ends the search.
 */
export async function findHost(address: DatabaseAddress, search: Search): Promise<void> {
  const { connectTimeoutMs, hosts } = address
  const until = performance.now() + search.patienceMs
  for (let limitMs = firstTurnMs(hosts.length, search.patienceMs); ; limitMs *= 2) {
    const tried: (Tried & Failure)[] = []
    for (const host of search.memory.inOrder(address)) {
      const turnMs = connectTimeoutMs ?? Math.min(limitMs, until - performance.now())
      // without time left, nothing can be said about a host
      if (turnMs <= 0 && tried.length > 0) break
      const failure = await tryHost(host, { address, search, limitMs: Math.max(1, turnMs) })
      if (failure === null) return
      if (hosts.length === 1 || isFinal(failure.error)) throw failure.error
      tried.push({ host, ...failure })
    }
    const mayAnswer = connectTimeoutMs === null && tried.some(({ isLate }) => isLate)
    if (!mayAnswer || performance.now() >= until) throw new NoHost(tried)
  }
}

/** A single host gets all the time; of several even the last must get a chance. */
function firstTurnMs(hosts: number, patienceMs: number): number {
  return hosts === 1 ? patienceMs : Math.min(firstLimitMs, patienceMs / hosts)
}

type Turn = { address: DatabaseAddress; search: Search; limitMs: number }

/** Encrypted or not, in the order of `sslmode`. */
async function tryHost(host: Host, { address, search, limitMs }: Turn): Promise<Failure | null> {
  const { memory, attempt } = search
  const { mode } = address.tls
  const failures: Failure[] = []
  for (const encryption of memory.encryptionsFirst(host, mode, waysTo(host, address))) {
    const failure = await attempt({ host, encryption, limitMs })
    if (failure === null) {
      memory.answered(host)
      if (failures.length > 0) memory.takenOtherwise(host, mode, encryption)
      return null
    }
    failures.push(failure)
    if (!mayGoOtherwise(failure)) break
  }
  memory.failed(host, { isLate: failures.some(({ isLate }) => isLate) })
  // That the server speaks no TLS, or that one way is closed, says less than the error of the other way.
  const telling = failures.filter(({ error }) => messageOf(error) !== noTlsSaying)
  const refusal = telling.find(({ error }) => isOfServer(error) && !isClosedWay(error))
  return refusal ?? telling.at(-1) ?? failures.at(-1) ?? null
}

/** Nothing is bound to a certificate without one. */
function waysTo({ host }: Host, { tls, channelBinding }: DatabaseAddress): Encryption[] {
  const ways = encryptionsOf(tls.mode, host)
  return channelBinding === 'require' && ways.includes('tls') ? ['tls'] : ways
}

/** `pg_hba.conf` says no, or a pooler takes encrypted sessions alone. */
function isClosedWay(error: unknown): boolean {
  const code = errorCode(error)
  return code === '28000' || wantsEncryption(code, messageOf(error))
}

/** What was refused encrypted may be taken in the clear, or the other way about: the handshake failed, or that way is closed. */
function mayGoOtherwise({ error, isReached, isLate }: Failure): boolean {
  if (!isReached || isLate || error instanceof UnfitHost) return false
  return !isOfServer(error) || isClosedWay(error) || /^28/.test(errorCode(error) ?? '')
}

/** The server has answered, and is not starting or stopping: no other host is needed. */
function isFinal(error: unknown): boolean {
  return isOfServer(error) && errorCode(error) !== '57P03'
}

/** By its SQLSTATE; the system's codes and Node's look otherwise. */
function isOfServer(error: unknown): boolean {
  return !(error instanceof UnfitHost) && /^(?:\d\d|XX)[0-9A-Z]{3}$/.test(errorCode(error) ?? '')
}

/** One that is just starting is worth waiting for; one whose connection failed may be back. */
function mostTelling(tried: readonly Tried[]): unknown {
  return (tried.find(({ error }) => errorCode(error) === '57P03') ?? tried[0])?.error
}

export function nameOf({ host, port, address }: Host): string {
  if (host.startsWith('/')) return `${host}/.s.PGSQL.${port}`
  const at = address === undefined || address === host ? '' : ` (${address})`
  return `${host.includes(':') ? `[${host}]` : host}:${port}${at}`
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
