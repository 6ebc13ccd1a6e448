/** Lets so many run at a time; the others wait in the order in which they came. */
export class Semaphore {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(max: number) {
    this.#free = max
  }

  /** A slot at once, as what ends it, however often that is called; null: none is free. */
  tryBegin(): (() => void) | null {
    if (this.#free === 0) return null
    this.#free -= 1
    let hasEnded = false
    return () => {
      if (hasEnded) return
      hasEnded = true
      this.#passOn()
    }
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await work()
    } finally {
      this.#passOn()
    }
  }

  /** The next in line takes over the slot, so that it never counts as free in between. */
  #passOn(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#free += 1
    else next()
  }
}
