const pollMs = 1_000
/** During a burst of uploads, a query for each would mostly find nothing. */
const callPauseMs = 50

/** Lanes without work, each until it is woken. One of them looks again every second. */
export class SleepingLanes {
  readonly #sleepers = new Set<() => void>()
  readonly #polling = setInterval(() => this.#wakeNext(), pollMs)
  /** Called while every lane was busy, or just asking. */
  #isCalled = false
  #isOver = false
  #pause: NodeJS.Timeout | null = null
  #isCalledInPause = false

  sleep(): Promise<void> {
    if (this.#isCalled || this.#isOver) {
      this.#isCalled = false
      return Promise.resolve()
    }
    return new Promise((resolve) => {
      const wake = () => {
        this.#sleepers.delete(wake)
        resolve()
      }
      this.#sleepers.add(wake)
    })
  }

  /** There is work: the first call acts at once, those of the next moment as one. */
  call(): void {
    this.#isCalledInPause = this.#pause !== null
    if (this.#pause !== null || this.#isOver) return
    this.wakeOne()
    this.#pause = setTimeout(() => {
      this.#pause = null
      if (this.#isCalledInPause) this.call()
    }, callPauseMs)
  }

  /** A lane that finds work wakes the next: a single job does not have all of them ask for it. */
  wakeOne(): void {
    if (!this.#wakeNext()) this.#isCalled = true
  }

  /** For good. */
  wakeAll(): void {
    this.#isOver = true
    clearInterval(this.#polling)
    if (this.#pause !== null) clearTimeout(this.#pause)
    for (const wake of this.#sleepers) wake()
  }

  #wakeNext(): boolean {
    const [wake] = this.#sleepers
    wake?.()
    return wake !== undefined
  }
}
