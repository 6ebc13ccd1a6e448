import type { Db } from '../../database/connection.ts'
import { recordBegun } from './begin.ts'
import { recordEnded, type Attempt, type Ended } from './settle.ts'
import { Batcher } from './batcher.ts'

/** As long as a post may take: after that its receiver is not kept waiting. */
const beginPatienceMs = 5_000
const endPatienceMs = 60_000

/** What one process records of its attempts: that they begin, and how they ended. */
export type Records = {
  /** Whether the attempt is still the newest of its delivery and may be sent; fails when that cannot be recorded. */
  begin: (attempt: Attempt) => Promise<boolean>
  /**
   * What has been sent must not be forgotten because the database was away for a moment, or it would be sent twice: it is tried until
   * the database takes it, for a minute or until `giveUp`.
   */
  end: (ended: Ended) => Promise<void>
  giveUp: () => void
}

export function recordsOf(db: Db): Records {
  const begun = new Batcher({
    store: (attempts: readonly Attempt[]) => recordBegun(db, attempts),
    patienceMs: beginPatienceMs,
  })
  const ended = new Batcher({
    store: (all: readonly Ended[]) => recordEnded(db, all),
    patienceMs: endPatienceMs,
  })
  return {
    begin: async (attempt) => (await begun.add(attempt)).has(attempt.id),
    end: (one) => ended.add(one),
    giveUp: () => {
      begun.giveUp()
      ended.giveUp()
    },
  }
}
