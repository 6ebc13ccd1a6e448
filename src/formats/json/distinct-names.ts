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
    const hash = this.#hash(start, end)
    const cell = hash >>> 3
    const bit = 1 << (hash & 7)
    const seen = this.#seen[cell] ?? 0
    if ((seen & bit) !== 0) return
    this.#seen[cell] = seen | bit
    this.count += 1
  }

  /** FNV-1a over the length and up to eight bytes of both ends, folded to the number of slots. */
  #hash(start: number, end: number): number {
    const length = end - start
    let hash = Math.imul(0x811c9dc5 ^ length, prime)
    const headEnd = Math.min(end, start + endBytes)
    for (let at = start; at < headEnd; at += 1) hash = Math.imul(hash ^ (this.#bytes[at] ?? 0), prime)
    for (let at = Math.max(headEnd, end - endBytes); at < end; at += 1) {
      hash = Math.imul(hash ^ (this.#bytes[at] ?? 0), prime)
    }
    return (hash ^ (hash >>> 15)) & (slots - 1)
  }
}

const prime = 0x01000193
const endBytes = 8
