import { hashBytes } from './hash-bytes.ts'

const slots = 2 ** 22

/**
 * Counts different byte strings by linear counting: one bit per hash, so that memory stays at 512 KB whatever is counted.
 * The count is slightly low (collisions); of long strings only both ends are looked at.
 */
export class DistinctNames {
  count = 0
  readonly #bytes: Uint8Array
  readonly #seen = new Uint8Array(slots / 8)

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  add(start: number, end: number): void {
    const hash = fold(hashBytes(this.#bytes, start, end))
    const cell = hash >>> 3
    const bit = 1 << (hash & 7)
    const seen = this.#seen[cell] ?? 0
    if ((seen & bit) !== 0) return
    this.#seen[cell] = seen | bit
    this.count += 1
  }
}

function fold(hash: number): number {
  return (hash ^ (hash >>> 15)) & (slots - 1)
}
