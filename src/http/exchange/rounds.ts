/** So many go on before everybody else has a turn. */
const atOnce = 16

/** What may go on in thousands at the same moment, a few at a time: what comes in has its turn between them. */
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
