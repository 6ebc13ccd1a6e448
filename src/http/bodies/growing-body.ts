/** The initial size, unless the body is announced as smaller. */
const firstBytes = 512

/**
 * The bytes of a body in one buffer that grows as they come: neither the announced length takes memory nor the number of pieces,
 * which a hostile sender makes one byte each. Old memory is freed at once, not when the collector finds it.
 */
export class GrowingBody implements Disposable {
  readonly #limit: number
  readonly #onGrow: (bytes: number) => void
  #buffer = new ArrayBuffer(0)
  #bytes = new Uint8Array(this.#buffer)
  #size = 0

  /** `limit`: the announced length, or the largest allowed. `onGrow` is called before memory is taken. */
  constructor(limit: number, onGrow: (bytes: number) => void) {
    this.#limit = limit
    this.#onGrow = onGrow
  }

  get size(): number {
    return this.#size
  }

  add(chunk: Uint8Array): void {
    const needed = this.#size + chunk.length
    if (needed > this.#bytes.length) this.#grow(needed)
    this.#bytes.set(chunk, this.#size)
    this.#size = needed
  }

  /** Exactly the bytes that came, for the caller to own; nothing is left here. */
  take(): ArrayBuffer {
    const exact = this.#buffer.transfer(this.#size)
    this.#hold(new ArrayBuffer(0))
    this.#size = 0
    return exact
  }

  /** Frees what has come and is no longer needed. */
  [Symbol.dispose](): void {
    this.#size = 0
    this.take()
  }

  #grow(needed: number): void {
    const held = this.#bytes.length
    const wanted = Math.max(needed, held * 2, firstBytes)
    const capacity = Math.max(needed, Math.min(wanted, this.#limit))
    this.#onGrow(capacity - held)
    this.#hold(this.#buffer.transfer(capacity))
  }

  #hold(buffer: ArrayBuffer): void {
    this.#buffer = buffer
    this.#bytes = new Uint8Array(buffer)
  }
}
