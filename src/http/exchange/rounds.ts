/** How many continue before everybody else gets a turn. */
const atOnce = 16

/** Lets thousands of continuations run a few at a time, one of each client after the other: incoming requests get their turn in between. */
export class Rounds {
  readonly #waiting = new Map<string, (() => void)[]>()
  #isDue = false
  /** How many more may go on in this turn. */
  #left = atOnce

  /** Goes on at once while there is room in this turn and nobody waits. */
  enter(goOn: () => void, client: string): void {
    if (this.#waiting.size > 0 || this.#left === 0) {
      this.add(goOn, client)
      return
    }
    this.#left -= 1
    this.#await()
    goOn()
  }

  add(goOn: () => void, client = ''): void {
    const before = this.#waiting.get(client)
    if (before === undefined) this.#waiting.set(client, [goOn])
    else before.push(goOn)
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
      const [first] = this.#waiting
      if (first === undefined) break
      const [client, queue] = first
      next.push(...queue.splice(0, 1))
      this.#waiting.delete(client)
      // behind the others
      if (queue.length > 0) this.#waiting.set(client, queue)
    }
    return next
  }
}
