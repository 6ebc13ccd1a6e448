import type { ClientBase } from 'pg'
import { askServer, type Word } from './ask-server.ts'
import { isStoreAway } from '../store-away.ts'
import { isOnReplaced, type BoundedConfig } from './bounded-client.ts'
import { isSameHost, type Driven } from './driver.ts'
import { endRemains, type Remains } from './end-remains.ts'
import type { StoreLog } from '../server.ts'

/**
 * A dead database host, or a firewall that forgets a connection, says nothing: the system retransmits for a quarter of an hour before it
 * gives up (Linux, `tcp_retries2`), while a new session would be answered at once. So once a session has waited for a few seconds, the
 * server is asked about it over another one. Statements that the server is working on may take as long as their limit; other sessions are
 * ended, as if the connection had been cut.
 */
const lookEveryMs = 1_000
const suspectAfterMs = 2_000
/** How much later than at the server its limit of a statement takes effect here. */
const graceMs = 10_000

/** An answer may have been on its way while the server was asked, and a busy server may be slow to open a session: a single reply never counts alone. */
const weights: Record<Word, number> = {
  working: 0,
  unconfirmed: 0,
  untold: 0,
  unanswered: 2,
  unreachable: 3,
  starved: 3,
  lost: 3,
  left: 6,
}
const enough = 6
/** A host that answers another session is not gone, however slow it is to open new ones. */
const unreachableButHeard = 1
/** The primary can answer reads of a standby, so less certainty is needed. */
const nothingOfStandby = 3

/** The server has ended by its own limits what it has not heard of for so long. */
const remainsForMs = 90_000

type Watching = {
  log: Pick<StoreLog, 'warn'>
  /** The server's limit of one statement; null where it has none. */
  statementTimeoutMs: number | null
}

type Seen = {
  openedAt: number
  /** Bytes at the last look. */
  sent: number
  heard: number
  /** When either was last seen to move, or the session lay idle. */
  movedAt: number
  heardAt: number
  /** The combined weight of the server's replies about it. */
  doubt: number
}

/** Those of the process that have sessions. */
const watches = new Set<SilenceWatch>()

/** Ends sessions of one store that will never be answered again. A session that ends leaves by itself. */
export class SilenceWatch {
  readonly #connection: BoundedConfig
  readonly #options: Watching
  readonly #sessions = new Map<Driven, Seen>()
  /** What may be left at the server of sessions that were ended while it could not be told. */
  #remains: readonly Remains[] = []
  #looking: NodeJS.Timeout | null = null
  #isAsking = false

  constructor(connection: BoundedConfig, options: Watching) {
    this.#connection = connection
    this.#options = options
  }

  add(client: ClientBase): void {
    const session = client as Driven
    const now = performance.now()
    this.#sessions.set(session, { openedAt: now, sent: 0, heard: 0, movedAt: now, heardAt: now, doubt: 0 })
    watches.add(this)
    session.once('end', () => this.#forget(session))
    this.#looking ??= setInterval(() => void this.#look(), lookEveryMs).unref()
  }

  #forget(session: Driven): void {
    this.#sessions.delete(session)
    this.#rest()
  }

  #rest(): void {
    if (this.#sessions.size > 0 || this.#remains.length > 0 || this.#looking === null) return
    clearInterval(this.#looking)
    this.#looking = null
    watches.delete(this)
  }

  async #look(): Promise<void> {
    const suspects = this.#suspects()
    if ((suspects.length === 0 && this.#remains.length === 0) || this.#isAsking) return
    this.#isAsking = true
    const since = performance.now()
    try {
      if (suspects.length === 0) await this.#clear()
      else await askServer(this.#connection, suspects, (words) => this.#judge(words, since))
    } catch (error) {
      this.#options.log.warn({ err: error }, 'asking about a silent database session')
    } finally {
      this.#isAsking = false
    }
  }

  /** A host that comes back still has the locks of sessions that were ended while it was silent. */
  async #clear(): Promise<void> {
    try {
      await endRemains(this.#connection, this.#remains)
      this.#remains = []
    } catch (error) {
      const since = performance.now() - remainsForMs
      this.#remains = this.#remains.filter(({ endedAt }) => endedAt > since)
      if (!isStoreAway(error)) throw error
    } finally {
      this.#rest()
    }
  }

  /** All that is on a primary which any watch found replaced: what commits there without waiting counts for nothing. */
  #endReplaced(): void {
    if (this.#connection.seeksStandby === true) return
    for (const session of this.#sessions.keys()) {
      if (!isOnReplaced(session)) continue
      this.#forget(session)
      this.#destroy(session, 'another host has become the primary of the database')
    }
  }

  /** Sessions that wait for an answer and have neither sent nor received anything for a while. */
  #suspects(): Driven[] {
    const now = performance.now()
    return [...this.#sessions].flatMap(([session, seen]) => {
      const { bytesWritten: sent, bytesRead: heard } = session.connection.stream
      if (heard !== seen.heard) seen.heardAt = now
      const isMoving = session.readyForQuery || sent !== seen.sent || heard !== seen.heard
      if (isMoving) Object.assign(seen, { sent, heard, movedAt: now, doubt: 0 })
      return !isMoving && now - seen.movedAt >= suspectAfterMs ? [session] : []
    })
  }

  /** Ends what is lost. Returns it: what is left of it at the server may hold locks. */
  #judge(words: ReadonlyMap<Driven, Word>, since: number): Driven[] {
    // Sessions answered meanwhile are no longer suspected.
    const suspects = this.#suspects().filter((session) => words.has(session))
    const lost = suspects.filter((session) => {
      const seen = this.#sessions.get(session)
      const word = words.get(session) ?? 'untold'
      // A session without a limit, such as a restore, may be waiting for the file that it reads.
      const weight =
        word === 'starved' && this.#options.statementTimeoutMs === null
          ? 0
          : this.#weightOf(word, { session, since })
      if (seen === undefined) return false
      seen.doubt = weight === 0 ? 0 : seen.doubt + weight
      const waitedMs = performance.now() - seen.movedAt
      if (seen.doubt < enough && !this.#isOverdue(waitedMs)) return false
      this.#endSilent(session, { waitedMs, isLeft: word === 'left' })
      return true
    })
    // At once, of the whole process: a job that one pool claims at the new primary would be done by another at the old one, where there is
    // nothing to do, and count as done.
    for (const watch of watches) watch.#endReplaced()
    return lost
  }

  #weightOf(word: Word, asked: { session: Driven; since: number }): number {
    if (word !== 'unreachable' && word !== 'unanswered') return weights[word]
    if (this.#connection.seeksStandby === true) return nothingOfStandby
    return word === 'unreachable' && this.#hasHeard(asked) ? unreachableButHeard : weights[word]
  }

  /** Whether the host of a session has answered another one since. */
  #hasHeard({ session, since }: { session: Driven; since: number }): boolean {
    return [...this.#sessions].some(([other, { heardAt }]) => heardAt > since && isSameHost(other, session))
  }

  #isOverdue(waitedMs: number): boolean {
    const { statementTimeoutMs } = this.#options
    return statementTimeoutMs !== null && waitedMs > statementTimeoutMs + graceMs
  }

  /** Includes idle sessions that have received nothing since: they used the same route. So did waiting ones, where their host is abandoned. */
  #endSilent(session: Driven, { waitedMs, isLeft }: { waitedMs: number; isLeft: boolean }): void {
    this.#options.log.warn({ waitedMs: Math.round(waitedMs) }, 'a database session is silent and is ended')
    const since = performance.now() - waitedMs
    const others = [...this.#sessions].filter(
      ([other, { heardAt }]) =>
        heardAt <= since && (other.readyForQuery || (isLeft && isSameHost(other, session))),
    )
    const ended = [session, ...others.map(([other]) => other)]
    // a standby has no locks that anybody waits for
    if (this.#connection.seeksStandby !== true) this.#remains = [...this.#remains, ...this.#remainsOf(ended)]
    for (const lost of ended) {
      this.#forget(lost)
      this.#destroy(lost, `the database has been silent for ${Math.round(waitedMs / 1_000)} s`)
    }
  }

  #remainsOf(ended: readonly Driven[]): Remains[] {
    const endedAt = performance.now()
    return ended.flatMap((session) => {
      const seen = this.#sessions.get(session)
      return seen === undefined ? [] : [{ session, openedAt: seen.openedAt, endedAt }]
    })
  }

  #destroy({ connection: { stream } }: Driven, why: string): void {
    stream.destroy(Object.assign(new Error(why), { code: 'ETIMEDOUT' }))
  }
}
