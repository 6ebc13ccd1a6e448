import { ClientQueue } from '../../platform/concurrency/client-queue.ts'

/** How many continue before everybody else gets a turn. */
const atOnce = 16

/** Lets thousands of continuations run a few at a time, one of each client after the other: incoming requests get their turn in between. */
export class Rounds {
  readonly #waiting = new ClientQueue<() => void>()
  #isDue = false
  /** How many more may go on in this turn. */
  #left = atOnce

  /** Goes on at once while there is room in this turn and nobody waits. */
  enter(goOn: () => void, client: string): void {
    if (!this.#waiting.isEmpty || this.#left === 0) {
      this.add(goOn, client)
      return
    }
    this.#left -= 1
    this.#await()
    goOn()
  }

  add(goOn: () => void, client = ''): void {
    this.#waiting.add(goOn, client)
    this.#await()
  }

  #await(): void {
    if (this.#isDue) return
    this.#isDue = true
    setImmediate(() => {
      this.#isDue = false
      this.#left = atOnce
      const next = this.#next()
      this.#left -= next.length
      if (next.length > 0) this.#await()
      for (const goOn of next) goOn()
    })
  }

  #next(): (() => void)[] {
    const next: (() => void)[] = []
    while (next.length < atOnce) {
      const goOn = this.#waiting.next()
      if (goOn === undefined) break
      next.push(goOn)
    }
    return next
  }
}
