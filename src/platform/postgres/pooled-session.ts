import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { bracketNext, type Brackets } from './brackets.ts'
import { isLast, isPrepared } from './prepared.ts'
import { untilAdmitted } from './session.ts'
import { isSessionLost } from './store-away.ts'
import { errorCode } from './store-error.ts'

/** How long a request for a session may meet a server without a free one. Waiting in the pool itself is bounded there. */
const admissionMs = 10_000

/**
 * A pool as the query builder sees it. A session that the store has ended while it lay idle is replaced when its first statement is
 * certain to have changed nothing, and never returns to the pool.
 */
export function pooledSessions(pool: Pool): PostgresPool {
  return {
    connect: async () => new PooledSession(pool, await take(pool)) as unknown as PostgresPoolClient,
    end: () => pool.end(),
    options: pool.options,
  }
}

function take(pool: Pool): Promise<PoolClient> {
  return untilAdmitted(admissionMs, () => pool.connect())
}

type Statement = { text: string; values: readonly unknown[]; brackets: Brackets }

const none: Brackets = { opens: false, ends: false }

/** Whether a statement can have brackets: COPY and a text without values, which may hold several statements, are sent in other ways. */
function canTravel(text: string, values: readonly unknown[]): boolean {
  return isPrepared(text) || (values.length > 0 && !/^copy\b/i.test(text))
}

/** One session between being taken from the pool and given back. */
class PooledSession {
  readonly #pool: Pool
  /** Null when the session was lost and no other one could be had. */
  #client: PoolClient | null
  /** Nothing has run on it since it was taken: nothing is lost when another one takes its place. */
  #isUntouched = true
  #loss: Error | null = null
  /** `begun`: by us, the server is told with the first statement. `ended`: with the last one. */
  #transaction: 'none' | 'begun' | 'open' | 'ended' = 'none'

  constructor(pool: Pool, client: PoolClient) {
    this.#pool = pool
    this.#client = client
  }

  async query(text: string, values: readonly unknown[]): Promise<unknown> {
    const answered = this.#answerHere(text)
    if (answered !== null) return answered
    if (this.#transaction === 'begun' && !canTravel(text, values)) {
      this.#transaction = 'open'
      await this.#send({ text: 'begin', values: [], brackets: none })
    }
    const brackets = { opens: this.#transaction === 'begun', ends: this.#isInTransaction() && isLast(text) }
    if (brackets.opens) this.#transaction = 'open'
    const result = await this.#send({ text, values, brackets })
    if (brackets.ends) this.#transaction = 'ended'
    return result
  }

  /** What the server need not be asked for: it is told with the next statement, or was with the one before. */
  #answerHere(text: string): unknown {
    const before = this.#transaction
    if (before === 'ended' && text !== 'commit')
      throw new Error('the transaction has ended with its last statement')
    if (text === 'begin') this.#transaction = 'begun'
    else if (text === 'commit' || text === 'rollback') this.#transaction = 'none'
    else return null
    // The end of the session was the end of its transaction.
    const isRolledBack = text === 'rollback' && this.#loss !== null
    const isToldApart = text === 'begin' || before === 'begun' || before === 'ended' || isRolledBack
    return isToldApart ? { command: text.toUpperCase(), rowCount: 0, rows: [] } : null
  }

  #isInTransaction(): boolean {
    return this.#transaction === 'begun' || this.#transaction === 'open'
  }

  async #send({ text, values, brackets }: Statement): Promise<unknown> {
    for (let isSwapped = false; ; isSwapped = true) {
      try {
        this.#client ??= await take(this.#pool)
        bracketNext(this.#client, brackets)
        const result = await this.#client.query(text, [...values])
        this.#isUntouched = false
        return result
      } catch (error) {
        if (!isSessionLost(error)) this.#isUntouched = false
        else this.#loss = error instanceof Error ? error : new Error('lost', { cause: error })
        const isHarmless = (brackets.opens && !brackets.ends) || canRunAgain(text, error)
        if (isSwapped || !isHarmless || !this.#giveUpUntouched()) throw error
      }
    }
  }

  /** Lets go of a session on which nothing has run, for another one; false when something has, or there is none. */
  #giveUpUntouched(): boolean {
    if (!this.#isUntouched || this.#client === null) return false
    // A pool of one has no other place for its successor.
    this.release()
    this.#client = null
    return true
  }

  release(isDiscarded?: boolean): void {
    this.#client?.release(this.#loss ?? isDiscarded)
  }
}

/**
 * Whether a statement that failed with its session may run again, beside the first of a transaction, of which nothing was committed: one
 * that only reads or opens a transaction, and one whose end, where PostgreSQL commits, was never sent (EPIPE: the system refused to write;
 * the driver's own refusal).
 */
function canRunAgain(text: string, error: unknown): boolean {
  if (/^(select|begin|start transaction)\b/i.test(text)) return true
  const message = error instanceof Error ? error.message : ''
  return errorCode(error) === 'EPIPE' || message.includes('is not queryable')
}
