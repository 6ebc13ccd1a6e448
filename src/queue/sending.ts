import { setTimeout as sleep } from 'node:timers/promises'
import { isStoreAway } from '../platform/postgres/store-away.ts'
import type { Deps } from '../platform/deps.ts'

/** Database rows waiting to be sent, and how one process sends them. */
export type Queue<Item> = {
  /** How many a process has under way. */
  maxAtOnce: number
  /** The minimum time between two claims. */
  gatherMs: number
  /** Takes at most `max` that are due; if it takes none, none is available now. */
  claim: (max: number) => Promise<Item[]>
  /** Sends one and records the outcome. `look` claims more before it is over. */
  send: (item: Item, look: () => void) => Promise<void>
  /** Requeues what dead processes left behind. */
  recover: () => Promise<unknown>
  log: Deps['log']
  /** In log lines. */
  name: string
}

/** What one process sends from a queue. */
export class Sending<Item> {
  taken = 0
  readonly #queue: Queue<Item>
  readonly #underWay = new Map<Item, Promise<void>>()
  #looking: Promise<void> | null = null
  #lookAgain = false
  #isStopping = false
  #lookedAt = Number.NEGATIVE_INFINITY

  constructor(queue: Queue<Item>) {
    this.#queue = queue
  }

  get underWay(): Item[] {
    return [...this.#underWay.keys()]
  }

  /** Claims as many as there are free slots; a call during a claim causes one more. */
  look(): void {
    this.#lookAgain = true
    this.#looking ??= this.#claimWhileThereIsMore().finally(() => {
      this.#looking = null
    })
  }

  async recover(): Promise<void> {
    await this.reported(this.#queue.recover())
    this.look()
  }

  /** Runs until nothing is due and nothing is under way here. */
  async finish(): Promise<void> {
    this.look()
    await this.#looking
    while (this.#underWay.size > 0) {
      await Promise.race(this.#underWay.values())
      this.look()
      await this.#looking
    }
  }

  /** Starts nothing new, and waits for what is under way. */
  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#looking
    await Promise.all(this.#underWay.values())
  }

  /** The result, or undefined after a failure, which is logged: the row is still in the queue. */
  async reported<T>(work: Promise<T>): Promise<T | undefined> {
    try {
      return await work
    } catch (error) {
      const { log, name } = this.#queue
      if (isStoreAway(error)) log.warn({ err: error }, `${name} wait: the database is away`)
      else log.error({ err: error }, `${name} could not be handled`)
      return undefined
    }
  }

  async #claimWhileThereIsMore(): Promise<void> {
    const { claim, maxAtOnce, gatherMs } = this.#queue
    while (this.#lookAgain && !this.#isStopping) {
      const restMs = this.#lookedAt + gatherMs - performance.now()
      if (restMs > 0) await sleep(restMs)
      this.#lookAgain = false
      this.#lookedAt = performance.now()
      const max = maxAtOnce - this.#underWay.size
      if (max <= 0) return
      const claimed = (await this.reported(claim(max))) ?? []
      for (const item of claimed) this.#send(item)
      if (claimed.length > 0) this.#lookAgain = true
    }
  }

  #send(item: Item): void {
    this.taken += 1
    const sending = this.reported(this.#queue.send(item, () => this.look())).then(() => {
      const wasFull = this.#underWay.size >= this.#queue.maxAtOnce
      this.#underWay.delete(item)
      if (wasFull) this.look()
    })
    this.#underWay.set(item, sending)
  }
}
