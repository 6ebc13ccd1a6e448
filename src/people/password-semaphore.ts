import { ServiceError } from '../contract/errors.ts'
import { Semaphore } from '../platform/concurrency/semaphore.ts'

/** For work with passwords: each takes 19 MiB and a core for a moment, on threads that files need as well. */
export class PasswordSemaphore {
  readonly #semaphore: Semaphore
  readonly #maxWaiting: number

  constructor({ max = 2, maxWaiting = 100 } = {}) {
    this.#semaphore = new Semaphore(max)
    this.#maxWaiting = maxWaiting
  }

  /** Codes: `rate_limited` when too many wait already. */
  refuseWhenFull(): void {
    if (this.#semaphore.waiting < this.#maxWaiting) return
    throw new ServiceError('rate_limited', {
      message: 'Too many people are signing in at this moment.',
      retryAfterSeconds: 5,
    })
  }

  /** Runs the work when its turn comes. Codes: `rate_limited`. */
  async take<T>(work: () => Promise<T>): Promise<T> {
    if (!this.#semaphore.isFree) this.refuseWhenFull()
    return this.#semaphore.run(work)
  }
}
