import { ServiceError } from '../contract/errors.ts'

/**
 * Work with passwords, a few at a time in one process: each takes 19 MiB and a core for a moment, and the threads it runs on are those
 * of files too.
 */
export class PasswordTurns {
  readonly #atOnce: number
  readonly #mayWait: number
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor({ atOnce = 2, mayWait = 100 } = {}) {
    this.#atOnce = atOnce
    this.#mayWait = mayWait
  }

  /** Codes: `rate_limited` when too many wait already. */
  refuseWhenFull(): void {
    if (this.#waiting.length < this.#mayWait) return
    throw new ServiceError('rate_limited', {
      message: 'Too many people are signing in at this moment.',
      retryAfterSeconds: 5,
    })
  }

  /** Runs the work when its turn comes. Codes: `rate_limited`. */
  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#atOnce) {
      this.refuseWhenFull()
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    } else this.#running += 1
    try {
      return await work()
    } finally {
      // whoever waits takes over the place, so that it is never counted free in between
      const next = this.#waiting.shift()
      if (next === undefined) this.#running -= 1
      else next()
    }
  }
}
