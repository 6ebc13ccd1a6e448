import { ServiceError } from '../contract/errors.ts'
import { siteOf } from '../platform/client-address.ts'

type Waiter = { goOn: () => void; refuse: (error: ServiceError) => void }

/**
 * For work with passwords: each takes 19 MiB and a core for a moment, on threads that files need as well. Clients take turns, and when too many
 * wait, the one with most of them is refused: a flood from some addresses does not lock everybody else out.
 */
export class PasswordSemaphore {
  /** By client; whoever was served last comes after the others. */
  readonly #waiting = new Map<string, Waiter[]>()
  readonly #maxWaiting: number
  #count = 0
  #free: number

  constructor({ max = 2, maxWaiting = 100 } = {}) {
    this.#free = max
    this.#maxWaiting = maxWaiting
  }

  /** Codes: `rate_limited` when too many wait already, and no other client has more of them than this address. */
  refuseWhenFull(address: string): void {
    const own = this.#waiting.get(siteOf(address))?.length ?? 0
    if (this.#count >= this.#maxWaiting && own >= this.#heaviest().length) throw tooMany()
  }

  /** Runs the work when its turn comes. Codes: `rate_limited`. */
  async take<T>(address: string, work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1
    else await this.#turnOf(address)
    try {
      return await work()
    } finally {
      // the next in line takes over the slot, so that it never counts as free in between
      const next = this.#next()
      if (next === undefined) this.#free += 1
      else next.goOn()
    }
  }

  #turnOf(address: string): Promise<void> {
    this.refuseWhenFull(address)
    if (this.#count >= this.#maxWaiting) {
      this.#count -= 1
      this.#heaviest().pop()?.refuse(tooMany())
    }
    const client = siteOf(address)
    return new Promise((goOn, refuse) => {
      this.#count += 1
      const before = this.#waiting.get(client)
      if (before === undefined) this.#waiting.set(client, [{ goOn, refuse }])
      else before.push({ goOn, refuse })
    })
  }

  #next(): Waiter | undefined {
    for (const [client, queue] of this.#waiting) {
      const [next] = queue.splice(0, 1)
      this.#waiting.delete(client)
      if (next === undefined) continue
      this.#count -= 1
      // behind the others
      if (queue.length > 0) this.#waiting.set(client, queue)
      return next
    }
    return undefined
  }

  /** What waits of the client that has most waiting. */
  #heaviest(): Waiter[] {
    let heaviest: Waiter[] = []
    for (const queue of this.#waiting.values()) if (queue.length > heaviest.length) heaviest = queue
    return heaviest
  }
}

function tooMany(): ServiceError {
  return new ServiceError('rate_limited', {
    message: 'Too many people are signing in at this moment.',
    retryAfterSeconds: 5,
  })
}
