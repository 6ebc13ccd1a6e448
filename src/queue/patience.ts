import { setTimeout as sleep } from 'node:timers/promises'
import { isStoreAway } from '../platform/postgres/store-away.ts'

const pauseMs = 100

/** What has happened outside must not be lost because the database is away for a moment: its record is retried for so long, or until `giveUp`. */
export class Patience {
  readonly #limitMs: number
  #hasGivenUp = false

  constructor(limitMs: number) {
    this.#limitMs = limitMs
  }

  /** From now on no longer waits for a database that is away. */
  giveUp(): void {
    this.#hasGivenUp = true
  }

  /** The result of `store`, which may run several times; fails with the last error of the database. */
  async untilStored<T>(store: () => Promise<T>): Promise<T> {
    const until = performance.now() + this.#limitMs
    for (;;) {
      try {
        return await store()
      } catch (error) {
        if (!isStoreAway(error) || this.#hasGivenUp || performance.now() > until) throw error
        await sleep(pauseMs)
      }
    }
  }
}
