/** What waits for its turn: one of each client after the other, whatever each has waiting. */
export class ClientQueue<Waiting> {
  readonly #waiting = new Map<string, Waiting[]>()

  get isEmpty(): boolean {
    return this.#waiting.size === 0
  }

  add(waiting: Waiting, client: string): void {
    const before = this.#waiting.get(client)
    if (before === undefined) this.#waiting.set(client, [waiting])
    else before.push(waiting)
  }

  /** The first of each client, in their turn. */
  *firsts(): Generator<[client: string, first: Waiting]> {
    for (const [client, [first]] of this.#waiting) if (first !== undefined) yield [client, first]
  }

  /** Takes the first of a client: of the one whose turn it is, unless another is chosen. Its others are behind the other clients then. */
  next(client = this.#waiting.keys().next().value): Waiting | undefined {
    const queue = client === undefined ? undefined : this.#waiting.get(client)
    if (client === undefined || queue === undefined) return undefined
    const [first] = queue.splice(0, 1)
    this.#waiting.delete(client)
    if (queue.length > 0) this.#waiting.set(client, queue)
    return first
  }

  leave(waiting: Waiting, client: string): void {
    const queue = this.#waiting.get(client)
    const at = queue?.indexOf(waiting) ?? -1
    if (at !== -1) queue?.splice(at, 1)
    if (queue?.length === 0) this.#waiting.delete(client)
  }
}
