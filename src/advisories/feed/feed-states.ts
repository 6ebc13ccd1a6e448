import type { Db } from '../../database/connection.ts'
import { selectFeedStates, type FeedState } from './feed-state.ts'

type Turn = { slugs: Set<string>; states: Promise<Map<string, FeedState>> }

/**
 * The states of feeds as they are when asked for. All who ask while one statement is on its way share the next one: a crowd of readers
 * costs the database hardly more than one, and none of them is told what was before it asked.
 */
export class FeedStates {
  readonly #db: Db
  #running: Promise<unknown> | null = null
  #next: Turn | null = null

  constructor(db: Db) {
    this.#db = db
  }

  /** Undefined: there is no workspace of the slug. */
  async stateOf(slug: string): Promise<FeedState | undefined> {
    this.#next ??= this.#newTurn()
    this.#next.slugs.add(slug)
    return (await this.#next.states).get(slug)
  }

  #newTurn(): Turn {
    const slugs = new Set<string>()
    const before = this.#running ?? Promise.resolve()
    const states = before.then(() => {
      this.#next = null
      return selectFeedStates(this.#db, [...slugs])
    })
    const running = states.then(ignore, ignore)
    this.#running = running
    void running.then(() => {
      if (this.#running === running) this.#running = null
    })
    return { slugs, states }
  }
}

/** Whoever waits for the states is told of the error. */
function ignore(): void {
  return undefined
}
