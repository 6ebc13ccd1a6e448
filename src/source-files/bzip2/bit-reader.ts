import { RefusedData } from '../refused-data.ts'

/** Reads bits of a file in memory, the highest of each byte first. */
export class BitReader {
  readonly #bytes: Buffer
  #at = 0
  #held = 0
  #heldBits = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /** At most 24 at once. Refuses (`RefusedData`) to read past the end. */
  bits(count: number): number {
    while (this.#heldBits < count) {
      if (this.#at >= this.#bytes.length)
        throw new RefusedData('expected a complete bzip2 file, found one that is cut off')
      this.#held = ((this.#held << 8) | (this.#bytes[this.#at] ?? 0)) >>> 0
      this.#at += 1
      this.#heldBits += 8
    }
    this.#heldBits -= count
    const value = this.#held >>> this.#heldBits
    this.#held &= (1 << this.#heldBits) - 1
    return value
  }

  bit(): boolean {
    return this.bits(1) === 1
  }

  /** An unsigned number of 32 bits. */
  word(): number {
    return this.bits(16) * 0x1_0000 + this.bits(16)
  }

  /** Skips what is left of a byte. */
  align(): void {
    this.#heldBits -= this.#heldBits % 8
    this.#held &= (1 << this.#heldBits) - 1
  }

  isAtEnd(): boolean {
    return this.#at >= this.#bytes.length && this.#heldBits === 0
  }
}
