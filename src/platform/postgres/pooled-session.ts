import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { untilAdmitted } from './session.ts'
import { isSessionLost } from './store-away.ts'
import { errorCode, isGivenUp } from './store-error.ts'

/** How long to retry while the server has no free session. Waiting in the pool itself is bounded there. */
const admissionMs = 10_000

/**
 * A pool as the query builder sees it. A session that the store ended while it was idle is replaced when its first statement is certain to
 * have changed nothing, and never returns to the pool. A first statement that loses a deadlock, for example with a schema change, runs
 * again; what follows a `begin` is for the caller to repeat.
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

/** Of a statement that is a transaction of its own. */
const retries = 3

/** One session between being taken from the pool and given back. */
class PooledSession {
  readonly #pool: Pool
  /** Null when the session was lost and could not be replaced. */
  #client: PoolClient | null
  /** Nothing has run on it since it was taken, so another can replace it without loss. */
  #isUntouched = true
  #loss: Error | null = null

  constructor(pool: Pool, client: PoolClient) {
    this.#pool = pool
    this.#client = client
  }

  async query(text: string, values: readonly unknown[]): Promise<unknown> {
    // The transaction ended with its session.
    if (this.#loss !== null && text === 'rollback') return { command: 'ROLLBACK', rowCount: 0, rows: [] }
    for (let isSwapped = false; ; isSwapped = true) {
      try {
        const result = await this.#run(text, values)
        this.#isUntouched = false
        return result
      } catch (error) {
        if (!isSessionLost(error)) this.#isUntouched = false
        else this.#loss = error instanceof Error ? error : new Error('lost', { cause: error })
        if (!this.#isUntouched || this.#client === null || isSwapped || !isHarmless(text, error)) throw error
        // A pool of one has no slot for its successor otherwise.
        this.release()
        this.#client = null
      }
    }
  }

  /** Runs a statement; repeats a first one that PostgreSQL cancels in favour of another transaction. */
  async #run(text: string, values: readonly unknown[]): Promise<unknown> {
    this.#client ??= await take(this.#pool)
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#client.query(text, [...values])
      } catch (error) {
        if (!this.#isUntouched || attempt >= retries || !isGivenUp(error) || isCopy(text)) throw error
      }
    }
  }

  release(isDiscarded?: boolean): void {
    this.#client?.release(this.#loss ?? isDiscarded)
  }
}

/**
 * Whether a statement that failed with its session may run again: one that only reads or opens a transaction, and one whose end, where
 * PostgreSQL commits, was never sent (EPIPE: the system refused to write; the driver's own refusal).
 */
function isHarmless(text: string, error: unknown): boolean {
  if (/^(select|begin|start transaction)\b/i.test(text)) return true
  const message = error instanceof Error ? error.message : ''
  return errorCode(error) === 'EPIPE' || message.includes('is not queryable')
}

/** Its rows were taken when it was sent. */
function isCopy(text: string): boolean {
  return text.startsWith('copy ')
}
