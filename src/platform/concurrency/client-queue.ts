/** What waits for its turn: one of each client after the other, whatever each has waiting. */
export class ClientQueue<Item = () => void> {
  readonly #waiting = new Map<string, Item[]>()
  #size = 0

  get isEmpty(): boolean {
    return this.#waiting.size === 0
  }

  get size(): number {
    return this.#size
  }

  add(item: Item, client: string): void {
    this.#size += 1
    const before = this.#waiting.get(client)
    if (before === undefined) this.#waiting.set(client, [item])
    else before.push(item)
  }

  next(): Item | undefined {
    const [first] = this.#waiting
    if (first === undefined) return undefined
    const [client, queue] = first
    const [item] = queue.splice(0, 1)
    this.#size -= 1
    this.#waiting.delete(client)
    // behind the others
    if (queue.length > 0) this.#waiting.set(client, queue)
    return item
  }

  /** Whether no other client has more waiting. */
  isHeaviest(client: string): boolean {
    return this.#countOf(client) >= this.#countOf(this.#heaviest() ?? client)
  }

  /** Takes the newest of the client that has most waiting out of the queue. */
  dropOfHeaviest(): Item | undefined {
    const client = this.#heaviest()
    if (client === undefined) return undefined
    const queue = this.#waiting.get(client) ?? []
    const item = queue.pop()
    this.#size -= 1
    if (queue.length === 0) this.#waiting.delete(client)
    return item
  }

  #countOf(client: string): number {
    return this.#waiting.get(client)?.length ?? 0
  }

  #heaviest(): string | undefined {
    let heaviest: string | undefined
    for (const [client, { length }] of this.#waiting)
      if (heaviest === undefined || length > this.#countOf(heaviest)) heaviest = client
    return heaviest
  }
}
