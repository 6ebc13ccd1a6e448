/** What waits for its turn: one of each client after the other, whatever each has waiting. */
export class ClientQueue<Waiting> {
  readonly #waiting = new Map<string, Waiting[]>()
  #count = 0

  /** Of all clients. */
  get count(): number {
    return this.#count
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0
  }

  add(waiting: Waiting, client: string): void {
    this.#count += 1
    const before = this.#waiting.get(client)
    if (before === undefined) this.#waiting.set(client, [waiting])
    else before.push(waiting)
  }

  /** The first of each client, in their turn. */
  *firsts(): Generator<[client: string, first: Waiting]> {
    for (const [client, [first]] of this.#waiting) if (first !== undefined) yield [client, first]
  }

  countOf(client: string | undefined): number {
    return this.#queueOf(client)?.length ?? 0
  }

  /** The client that has most waiting. */
  longest(): string | undefined {
    let longest: string | undefined
    for (const client of this.#waiting.keys()) {
      if (this.countOf(client) > this.countOf(longest)) longest = client
    }
    return longest
  }

  /** Takes the first of a client: of the one whose turn it is, unless another is chosen. Its others are behind the other clients then. */
  next(client = this.#waiting.keys().next().value): Waiting | undefined {
    const [first] = this.#take(client, 0)
    const queue = this.#queueOf(client)
    if (client === undefined || queue === undefined) return first
    this.#waiting.delete(client)
    this.#waiting.set(client, queue)
    return first
  }

  /** Takes the last of a client, whose turn stays. */
  last(client: string | undefined): Waiting | undefined {
    return this.#take(client, -1)[0]
  }

  leave(waiting: Waiting, client: string): void {
    const at = this.#queueOf(client)?.indexOf(waiting) ?? -1
    if (at !== -1) this.#take(client, at)
  }

  #take(client: string | undefined, at: number): Waiting[] {
    const queue = this.#queueOf(client)
    const taken = queue?.splice(at, 1) ?? []
    this.#count -= taken.length
    if (client !== undefined && queue?.length === 0) this.#waiting.delete(client)
    return taken
  }

  #queueOf(client: string | undefined): Waiting[] | undefined {
    return client === undefined ? undefined : this.#waiting.get(client)
  }
}
