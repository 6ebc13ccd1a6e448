import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../../database/connection.ts'
import type { Tables } from '../../../database/tables.ts'
import { createPool, createQueries } from '../pool.ts'
import type { StoreLog } from '../server.ts'
import type { StoreConnection } from '../store-connection.ts'
import { isStoreAway } from '../store-away.ts'
import { errorCode, isGivenUp, StoreError } from '../store-error.ts'
import { judgeReplica } from './judge-replica.ts'
import type { LogPosition, Reads } from './reads.ts'

/** Where something was read, and if not on the standby, why. */
export type ReadFrom = 'replica' | 'primary_away' | 'primary_behind' | 'primary_given_up'

type Options = {
  primary: StoreConnection
  /** DATABASE_READ_URL. */
  url: string
  poolSize: number
  role: string
  log: StoreLog
  observe: (place: ReadFrom) => void
}

/** Whoever asks waits so long for a standby that is behind. */
const behindMs = 1_000
const lookAgainMs = 50
/** A standby that could not be read from is left alone for so long. */
const awayMs = 5_000
/** A silent one is asked for a session no longer than this: whoever waits for it is a person. */
const openTimeoutMs = 2_000

/** No standby gets there. */
const furthest: LogPosition = 'FFFFFFFF/FFFFFFFF'

class Behind extends Error {}

/**
 * Reads on a standby (docs/operating.md, "Reads on a standby"). What its session does not answer, or gives up for the sake of what it replays, is read
 * on the primary; and so is everything for a while after it could not be reached.
 */
export class Replica implements Reads {
  readonly #db: Db
  #standby: Db
  readonly #connection: StoreConnection
  readonly #options: Options
  /** Pools of servers that were left, until what is still read of them has ended. */
  readonly #left = new Set<Promise<void>>()
  #awayUntil = 0
  #isJudged = false

  constructor(db: Db, options: Options) {
    this.#db = db
    this.#options = options
    this.#connection = { connectionString: options.url, openTimeoutMs, seeksStandby: true }
    this.#standby = this.#openPool()
  }

  #openPool(): Db {
    const { poolSize: max, role, log } = this.#options
    const pool = createPool(this.#connection, { max, applicationName: `sbom-monitor ${role} reads`, log })
    return createQueries<Tables>(pool)
  }

  /** At the start. Throws StoreError where DATABASE_READ_URL can never be read from; one that is away may come. */
  async open(): Promise<void> {
    try {
      await this.#judge()
    } catch (error) {
      if (error instanceof StoreError && error.code === 'pooler_misplaced') throw error
      this.#leave(error)
    }
  }

  async read<T>(
    { seen, held }: { seen: LogPosition | null; held?: AsyncDisposableStack },
    work: (db: Db) => Promise<T>,
  ): Promise<T> {
    const { observe } = this.#options
    let place: ReadFrom = 'primary_away'
    if (performance.now() >= this.#awayUntil) {
      const session = new AsyncDisposableStack()
      held?.use(session)
      let hasBegun = false
      try {
        const standby = await this.#takeSession(seen, session)
        hasBegun = true
        const result = await work(standby)
        if (held === undefined) await session.disposeAsync()
        observe('replica')
        return result
      } catch (error) {
        await session.disposeAsync().catch(() => undefined)
        // whatever keeps a session from being opened there, such as a certificate that has ended, is no matter of what is read
        if (hasBegun && !isOfStandby(error)) throw error
        place = this.#placeAfter(error)
      }
    }
    observe(place)
    return work(this.#db)
  }

  /** What was done is done, even where the primary no longer says how far its log is: then it alone is read until it does. */
  async position(): Promise<LogPosition> {
    try {
      const { rows } = await sql<{ position: string }>`
        select pg_current_wal_insert_lsn()::text as position`.execute(this.#db)
      return rows[0]?.position ?? furthest
    } catch (error) {
      this.#options.log.warn({ err: error }, 'the place in the log after an act is not known')
      return furthest
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#standby.destroy(), ...this.#left])
  }

  /** One session for all of it: several standbys may share the address, and each is as far as it is. */
  async #takeSession(seen: LogPosition | null, session: AsyncDisposableStack): Promise<Db> {
    await this.#judge()
    const over = Promise.withResolvers<null>()
    const taken = Promise.withResolvers<Db>()
    const lent = this.#standby.connection().execute(async (standby) => {
      taken.resolve(standby)
      await over.promise
    })
    lent.catch(taken.reject)
    session.defer(async () => {
      over.resolve(null)
      await lent
    })
    const standby = await taken.promise
    await untilReplayed(standby, seen)
    return standby
  }

  async #judge(): Promise<void> {
    if (this.#isJudged) return
    await judgeReplica(this.#options.primary, this.#connection)
    this.#isJudged = true
    this.#options.log.info({}, 'reads that can wait go to the server of DATABASE_READ_URL')
  }

  #placeAfter(error: unknown): ReadFrom {
    if (error instanceof Behind) return 'primary_behind'
    if (isGivenUp(error)) return 'primary_given_up'
    this.#leave(error)
    return 'primary_away'
  }

  #leave(error: unknown): void {
    // whoever asked at the same time finds that it was left already
    if (performance.now() >= this.#awayUntil) this.#renewPool()
    this.#awayUntil = performance.now() + awayMs
    this.#isJudged = false
    this.#options.log.warn(
      { err: error },
      'the server of DATABASE_READ_URL cannot be read from; the primary is read',
    )
  }

  /** Its idle sessions are no better; for new ones another host may be found. What is being read of it goes on. */
  #renewPool(): void {
    const left = this.#standby.destroy().finally(() => this.#left.delete(left))
    this.#left.add(left)
    this.#standby = this.#openPool()
  }
}

/** Waits until the standby has replayed the place, which is a moment after it was written. A server that is no longer a standby is left. */
async function untilReplayed(standby: Db, seen: LogPosition | null): Promise<void> {
  const until = performance.now() + behindMs
  for (;;) {
    const { rows } = await sql<{ isStandby: boolean; isReplayed: boolean | null }>`
      select pg_is_in_recovery() as "isStandby", pg_last_wal_replay_lsn() >= ${seen}::pg_lsn as "isReplayed"`.execute(
      standby,
    )
    const [row] = rows
    if (row?.isStandby !== true)
      throw new StoreError('not_ready', 'DATABASE_READ_URL: the server is no standby')
    if (seen === null || row.isReplayed === true) return
    if (performance.now() + lookAgainMs > until)
      throw new Behind('the standby has not replayed what was done')
    await sleep(lookAgainMs)
  }
}

/** What a standby knows later than the primary, or what came with a release whose migration it has not replayed. */
const unknownThere = new Set(['42P01', '42703', '42883', '3D000'])
const statementTimeout = '57014'

/** Whether the primary may answer what a standby did not. One that reads for too long would read as long there. */
function isOfStandby(error: unknown): boolean {
  if (error instanceof Behind || error instanceof StoreError || isGivenUp(error)) return true
  const code = errorCode(error) ?? ''
  return code !== statementTimeout && (isStoreAway(error) || unknownThere.has(code))
}
