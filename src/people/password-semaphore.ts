import { ServiceError } from '../contract/errors.ts'
import { siteOf } from '../platform/client-address.ts'
import { ClientQueue } from '../platform/concurrency/client-queue.ts'

type Waiter = { goOn: () => void; refuse: (error: ServiceError) => void }

/**
 * For work with passwords: each takes 19 MiB and a core for a moment, on threads that files need as well. Clients take turns, and when too many
 * wait, the one with most of them is refused: a flood from some addresses does not lock everybody else out.
 */
export class PasswordSemaphore {
  readonly #waiting = new ClientQueue<Waiter>()
  readonly #maxWaiting: number
  #free: number

  constructor({ max = 2, maxWaiting = 100 } = {}) {
    this.#free = max
    this.#maxWaiting = maxWaiting
  }

  /** Codes: `rate_limited` when too many wait already, and no other client has more of them than this address. */
  refuseWhenFull(address: string): void {
    if (!this.#isFull()) return
    const client = siteOf(address)
    if (this.#waiting.countOf(client) >= this.#waiting.countOf(this.#waiting.longest())) throw tooMany()
  }

  /** Runs the work when its turn comes. Codes: `rate_limited`. */
  async take<T>(address: string, work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1
    else await this.#turnOf(address)
    try {
      return await work()
    } finally {
      // the next in line takes over the slot, so that it never counts as free in between
      const next = this.#waiting.next()
      if (next === undefined) this.#free += 1
      else next.goOn()
    }
  }

  #turnOf(address: string): Promise<void> {
    this.refuseWhenFull(address)
    if (this.#isFull()) this.#waiting.last(this.#waiting.longest())?.refuse(tooMany())
    return new Promise((goOn, refuse) => this.#waiting.add({ goOn, refuse }, siteOf(address)))
  }

  #isFull(): boolean {
    return this.#waiting.count >= this.#maxWaiting
  }
}

function tooMany(): ServiceError {
  return new ServiceError('rate_limited', {
    message: 'Too many people are signing in at this moment.',
    retryAfterSeconds: 5,
  })
}
