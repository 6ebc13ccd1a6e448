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

/** Where something was read and, if not on the standby, why. */
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

/** How long to wait for a standby that is behind. */
const behindMs = 1_000
const lookAgainMs = 50
/** How long a standby that failed is left alone. */
const awayMs = 5_000
/** The most time that a silent one gets to open a session: a person is waiting. */
const openTimeoutMs = 2_000

/** The one that every standby has. */
const firstTimeline = 1

/** Beyond any position that a standby can reach. */
const furthest: LogPosition = { timeline: firstTimeline, lsn: 'FFFFFFFF/FFFFFFFF' }

class Behind extends Error {}

/**
 * Reads on a standby (docs/operating.md, "Reads on a standby"). What its session does not answer, or cancels because of what it replays, is read on
 * the primary; so is everything for a while after it could not be reached.
 */
export class Replica implements Reads {
  readonly #db: Db
  #standby: Db
  readonly #connection: StoreConnection
  readonly #options: Options
  /** Pools of abandoned servers, until the last reads on them have ended. */
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

  /** At the start. Throws StoreError where DATABASE_READ_URL can never be read from; one that is away may come back. */
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
        // whatever prevents a session there, such as an expired certificate, has nothing to do with what is read
        if (hasBegun && !isOfStandby(error)) throw error
        place = this.#placeAfter(error)
      }
    }
    observe(place)
    return work(this.#db)
  }

  /** The act has succeeded even if the primary does not tell its log position: until it does, only the primary is read. */
  async position(): Promise<LogPosition> {
    try {
      const { rows } = await sql<LogPosition>`
        select ('x' || left(pg_walfile_name(lsn), 8))::bit(32)::int as timeline, lsn::text
        from pg_current_wal_insert_lsn() as lsn`.execute(this.#db)
      return rows[0] ?? furthest
    } catch (error) {
      this.#options.log.warn({ err: error }, 'the place in the log after an act is not known')
      return furthest
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#standby.destroy(), ...this.#left])
  }

  /** One session for all of it: several standbys may share the address, each at its own position. */
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
    if (seen !== null) await refuseOtherTimeline(standby, seen)
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
    // a concurrent read may have abandoned it already
    if (performance.now() >= this.#awayUntil) this.#renewPool()
    this.#awayUntil = performance.now() + awayMs
    this.#isJudged = false
    this.#options.log.warn(
      { err: error },
      'the server of DATABASE_READ_URL cannot be read from; the primary is read',
    )
  }

  /** Its idle sessions are no better; new ones may find another host. Reads in progress continue. */
  #renewPool(): void {
    const left = this.#standby.destroy().finally(() => this.#left.delete(left))
    this.#left.add(left)
    this.#standby = this.#openPool()
  }
}

/**
 * A standby that had replayed more than another one which was promoted has passed the positions that the new primary writes, without what is written there.
 * It tells its timeline only as of its last restart point, minutes after a promotion; until then the primary is read.
 */
async function refuseOtherTimeline(standby: Db, { timeline }: LogPosition): Promise<void> {
  if (timeline === firstTimeline) return
  try {
    const { rows } = await sql<{ isThere: boolean }>`
      select greatest(timeline_id, min_recovery_end_timeline) >= ${timeline} as "isThere"
      from pg_control_checkpoint(), pg_control_recovery()`.execute(standby)
    if (rows[0]?.isThere !== true) throw new Behind('the standby is not known to have followed the promotion')
  } catch (error) {
    // the role may not ask
    if (errorCode(error) !== '42501') throw error
  }
}

/** Waits until the standby has replayed the position, usually a moment after it was written. A server that is no longer a standby is abandoned. */
async function untilReplayed(standby: Db, seen: LogPosition | null): Promise<void> {
  const until = performance.now() + behindMs
  for (;;) {
    const { rows } = await sql<{ isStandby: boolean; isReplayed: boolean | null }>`
      select pg_is_in_recovery() as "isStandby", pg_last_wal_replay_lsn() >= ${seen?.lsn ?? null}::pg_lsn as "isReplayed"`.execute(
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

/** Whether the primary may answer what a standby did not. A read that takes too long would take as long there. */
function isOfStandby(error: unknown): boolean {
  if (error instanceof Behind || error instanceof StoreError || isGivenUp(error)) return true
  const code = errorCode(error) ?? ''
  return code !== statementTimeout && (isStoreAway(error) || unknownThere.has(code))
}
