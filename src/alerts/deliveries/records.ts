import type { Deps } from '../../platform/deps.ts'
import { recordBegun, type Circumstances } from './begin.ts'
import { recordEnded, type Attempt, type Ended } from './settle.ts'
import { Batcher } from './batcher.ts'

/** As long as a post may take: after that its receiver is released. */
const beginPatienceMs = 5_000
const endPatienceMs = 60_000

/** Records the attempts of one process: their start and their outcome. */
export type Records = {
  /** Undefined where the attempt is no longer the newest of its delivery; fails when its start cannot be recorded. */
  begin: (attempt: Attempt) => Promise<Circumstances | undefined>
  /**
   * A sent delivery must not be lost because the database was away for a moment, or it would be sent twice: retries until the
   * database accepts it, for a minute or until `giveUp`.
   */
  end: (ended: Ended) => Promise<void>
  giveUp: () => void
}

export function recordsOf({ db, now }: Pick<Deps, 'db' | 'now'>): Records {
  const begun = new Batcher({
    store: (attempts: readonly Attempt[]) => recordBegun(db, attempts),
    patienceMs: beginPatienceMs,
  })
  const ended = new Batcher({
    store: (all: readonly Ended[]) => recordEnded(db, all, now()),
    patienceMs: endPatienceMs,
  })
  return {
    begin: async (attempt) => (await begun.add(attempt)).get(attempt.id),
    end: (one) => ended.add(one),
    giveUp: () => {
      begun.giveUp()
      ended.giveUp()
    },
  }
}
