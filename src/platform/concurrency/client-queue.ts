/** What waits for its turn: one of each client after the other, whatever each has waiting. */
export class ClientQueue {
  readonly #waiting = new Map<string, (() => void)[]>()

  get isEmpty(): boolean {
    return this.#waiting.size === 0
  }

  add(goOn: () => void, client: string): void {
    const before = this.#waiting.get(client)
    if (before === undefined) this.#waiting.set(client, [goOn])
    else before.push(goOn)
  }

  next(): (() => void) | undefined {
    const [first] = this.#waiting
    if (first === undefined) return undefined
    const [client, queue] = first
    const [goOn] = queue.splice(0, 1)
    this.#waiting.delete(client)
    // behind the others
    if (queue.length > 0) this.#waiting.set(client, queue)
    return goOn
  }
}
