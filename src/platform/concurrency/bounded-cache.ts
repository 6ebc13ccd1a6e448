type Entry<T> = { key: string; value: T; sizeBytes: number; place: number }

/**
 * Values in memory up to so many bytes. Eviction is random: readers of a feed walk through all of its documents in one order, and a
 * cache that drops the least recently used would always have dropped the next one.
 */
export class BoundedCache<T> {
  readonly #maxBytes: number
  readonly #byKey = new Map<string, Entry<T>>()
  /** The same in no order, to choose from. */
  readonly #places: Entry<T>[] = []
  #sizeBytes = 0
  #draw = 1

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Of all values. */
  get sizeBytes(): number {
    return this.#sizeBytes
  }

  get(key: string): T | undefined {
    return this.#byKey.get(key)?.value
  }

  /** In place of what the key had before. */
  set(key: string, value: T, sizeBytes: number): void {
    this.delete(key)
    const entry = { key, value, sizeBytes, place: this.#places.length }
    this.#byKey.set(key, entry)
    this.#places.push(entry)
    this.#sizeBytes += sizeBytes
    this.#makeRoom()
  }

  /** Counts the growth of a cached value. */
  grow(key: string, moreBytes: number): void {
    const entry = this.#byKey.get(key)
    if (entry === undefined) return
    entry.sizeBytes += moreBytes
    this.#sizeBytes += moreBytes
    this.#makeRoom()
  }

  delete(key: string): void {
    const entry = this.#byKey.get(key)
    const last = this.#places.at(-1)
    if (entry === undefined || last === undefined) return
    this.#byKey.delete(key)
    this.#places[entry.place] = last
    last.place = entry.place
    this.#places.pop()
    this.#sizeBytes -= entry.sizeBytes
  }

  #makeRoom(): void {
    while (this.#sizeBytes > this.#maxBytes) {
      const chosen = this.#places[this.#nextDraw() % this.#places.length]
      if (chosen === undefined) return
      this.delete(chosen.key)
    }
  }

  /** Park and Miller's generator: even enough to choose by, and the same in every run. */
  #nextDraw(): number {
    this.#draw = (this.#draw * 48_271) % 2_147_483_647
    return this.#draw
  }
}
