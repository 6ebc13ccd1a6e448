/** How many continue before everybody else gets a turn. */
const atOnce = 16

/** Lets thousands of continuations run a few at a time: incoming requests get their turn in between. */
export class Rounds {
  #next: (() => void)[] = []
  #isDue = false

  add(goOn: () => void): void {
    this.#next.push(goOn)
    this.#await()
  }

  #await(): void {
    if (this.#isDue) return
    this.#isDue = true
    setImmediate(() => {
      this.#isDue = false
      for (const goOn of this.#next.splice(0, atOnce)) goOn()
      if (this.#next.length > 0) this.#await()
    })
  }
}
