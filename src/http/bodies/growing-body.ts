/** What a body begins with, unless it is announced as smaller. */
const firstBytes = 16 * 1024

/**
 * The bytes of a body in one buffer that grows as they come: not what was announced takes memory, and not the number of pieces, of
 * which a hostile sender makes one for each byte.
 */
export class GrowingBody {
  readonly #limit: number
  readonly #onGrow: (bytes: number) => void
  #buffer = Buffer.alloc(0)
  #size = 0

  /** `limit`: the announced length, or the largest allowed. `onGrow` is told of memory before it is taken. */
  constructor(limit: number, onGrow: (bytes: number) => void) {
    this.#limit = limit
    this.#onGrow = onGrow
  }

  get size(): number {
    return this.#size
  }

  add(chunk: Uint8Array): void {
    const needed = this.#size + chunk.length
    if (needed > this.#buffer.length) this.#grow(needed)
    this.#buffer.set(chunk, this.#size)
    this.#size = needed
  }

  /** Exactly the bytes that came. */
  bytes(): Uint8Array {
    if (this.#buffer.length === this.#size) return this.#buffer
    const exact = Buffer.allocUnsafeSlow(this.#size)
    exact.set(this.#buffer.subarray(0, this.#size))
    return exact
  }

  #grow(needed: number): void {
    const wanted = Math.max(needed, this.#buffer.length * 2, firstBytes)
    const capacity = Math.max(needed, Math.min(wanted, this.#limit))
    this.#onGrow(capacity - this.#buffer.length)
    // not from the shared pool: it would be sent to the parser whole
    const larger = Buffer.allocUnsafeSlow(capacity)
    larger.set(this.#buffer.subarray(0, this.#size))
    this.#buffer = larger
  }
}
