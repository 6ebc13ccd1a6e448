import { setTimeout as sleep } from 'node:timers/promises'
import { isStoreAway } from '../../platform/postgres/store-away.ts'
import { Patience } from '../../queue/patience.ts'

/** The pause between two statements while items keep coming. */
const gatherMs = 20
const maxBatch = 200

type Statement<Item, Answer> = {
  store: (items: readonly Item[]) => Promise<Answer>
  /** How long to retry while the database is away. */
  patienceMs: number
}

type Waiting<Item, Answer> = { item: Item; settle: (answer: Answer) => void; fail: (error: unknown) => void }

/** A batcher: items that come at about the same time are stored by one statement; the first after a pause never waits. */
export class Batcher<Item, Answer> {
  readonly #statement: Statement<Item, Answer>
  readonly #patience: Patience
  #waiting: Waiting<Item, Answer>[] = []
  #isWriting = false

  constructor(statement: Statement<Item, Answer>) {
    this.#statement = statement
    this.#patience = new Patience(statement.patienceMs)
  }

  /** The result of the statement for everything it stored; fails with the last error of the database. */
  add(item: Item): Promise<Answer> {
    return new Promise((settle, fail) => {
      this.#waiting.push({ item, settle, fail })
      if (!this.#isWriting) void this.#writeAll()
    })
  }

  /** From now on no longer waits for a database that is away. */
  giveUp(): void {
    this.#patience.giveUp()
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true
    while (this.#waiting.length > 0) {
      const startedAt = performance.now()
      await this.#write(this.#waiting.splice(0, maxBatch))
      await sleep(Math.max(0, startedAt + gatherMs - performance.now()))
    }
    this.#isWriting = false
  }

  async #write(batch: readonly Waiting<Item, Answer>[]): Promise<void> {
    try {
      const items = batch.map(({ item }) => item)
      const answer = await this.#patience.untilStored(() => this.#statement.store(items))
      for (const { settle } of batch) settle(answer)
    } catch (error) {
      // an item that the database refuses must not prevent others from being stored
      if (batch.length > 1 && !isStoreAway(error)) for (const one of batch) await this.#write([one])
      else for (const { fail } of batch) fail(error)
    }
  }
}
