import { setImmediate as roundOfEvents } from 'node:timers/promises'
import type { Db } from '../../database/connection.ts'
import { compileFeedStates, runFeedStates, type FeedState } from './feed-state.ts'

type States = Map<string, FeedState>
type Turn = PromiseWithResolvers<States> & { slugs: Set<string> }

/**
 * A batcher: the states of feeds at the time of asking. All requests in one turn of the event loop, and during a running statement, share the next
 * one: a crowd of readers costs the database hardly more than one, and none gets a state from before it asked.
 */
export class FeedStates {
  readonly #db: Db
  readonly #statement: ReturnType<typeof compileFeedStates>
  #waiting: Turn | null = null
  #isRunning = false

  constructor(db: Db) {
    this.#db = db
    this.#statement = compileFeedStates(db)
  }

  /** Undefined: there is no workspace of the slug. */
  async stateOf(slug: string): Promise<FeedState | undefined> {
    this.#waiting ??= { ...Promise.withResolvers<States>(), slugs: new Set() }
    const turn = this.#waiting
    turn.slugs.add(slug)
    if (!this.#isRunning) void this.#run()
    return (await turn.promise).get(slug)
  }

  /** One statement after the other, as long as somebody waits. */
  async #run(): Promise<void> {
    this.#isRunning = true
    await roundOfEvents()
    for (let turn = this.#take(); turn !== null; turn = this.#take()) {
      const { slugs, resolve, reject } = turn
      try {
        const states = await runFeedStates(this.#db, this.#statement, [...slugs])
        await roundOfEvents()
        resolve(states)
        // answered readers ask again at once: one statement for all of them instead of one for the first
        await roundOfEvents()
      } catch (error) {
        reject(error)
      }
    }
    this.#isRunning = false
  }

  #take(): Turn | null {
    const turn = this.#waiting
    this.#waiting = null
    return turn
  }
}
