/** What the blocks of a file are read into, one after the other: memory of their own would have the garbage collector run for each few. */
export class BlockMemory {
  #bytes = new Uint8Array(4_096)
  #links = new Uint32Array(0)

  /** At least so many bytes; those before `kept` are as they were. */
  bytes(length: number, kept = 0): Uint8Array {
    if (length > this.#bytes.length) {
      const grown = new Uint8Array(2 ** Math.ceil(Math.log2(length)))
      grown.set(this.#bytes.subarray(0, kept))
      this.#bytes = grown
    }
    return this.#bytes
  }

  /** A link for each byte. */
  links(length: number): Uint32Array {
    if (length > this.#links.length) this.#links = new Uint32Array(this.#bytes.length)
    return this.#links
  }
}
