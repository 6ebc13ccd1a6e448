import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../database/connection.ts'
import { isStoreAway } from '../../platform/postgres/store-away.ts'
import { recordEnded, type Ended } from './settle.ts'

/** While attempts end one upon the other, so long from one statement to the next. */
const gatherMs = 20
const mostTogether = 200
const patienceMs = 60_000
const pauseMs = 100

type Waiting = { ended: Ended; settle: () => void; fail: (error: unknown) => void }

/**
 * Records how attempts ended, those that end at about the same time in one statement. What has been sent must not be forgotten because the
 * database was away for a moment, or it would be sent twice: it is tried until the database takes it, for a minute or until `giveUp`.
 */
export class Recorder {
  readonly #db: Db
  #hasGivenUp = false
  #waiting: Waiting[] = []
  #isWriting = false

  constructor(db: Db) {
    this.#db = db
  }

  /** Done when it is stored; fails with the last error of the database. */
  record(ended: Ended): Promise<void> {
    return new Promise((settle, fail) => {
      this.#waiting.push({ ended, settle, fail })
      if (!this.#isWriting) void this.#writeAll()
    })
  }

  giveUp(): void {
    this.#hasGivenUp = true
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true
    while (this.#waiting.length > 0) {
      const startedAt = performance.now()
      await this.#write(this.#waiting.splice(0, mostTogether))
      await sleep(Math.max(0, startedAt + gatherMs - performance.now()))
    }
    this.#isWriting = false
  }

  async #write(together: readonly Waiting[]): Promise<void> {
    try {
      await this.#untilStored(together.map(({ ended }) => ended))
      for (const { settle } of together) settle()
    } catch (error) {
      // one that the database refuses keeps no other from being recorded
      if (together.length > 1 && !isStoreAway(error)) for (const one of together) await this.#write([one])
      else for (const { fail } of together) fail(error)
    }
  }

  async #untilStored(ended: readonly Ended[]): Promise<void> {
    const until = performance.now() + patienceMs
    for (;;) {
      try {
        await recordEnded(this.#db, ended)
        return
      } catch (error) {
        if (!isStoreAway(error) || this.#hasGivenUp || performance.now() > until) throw error
        await sleep(pauseMs)
      }
    }
  }
}
