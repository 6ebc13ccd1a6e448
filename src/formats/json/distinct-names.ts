const maxSlots = 2 ** 22
const minSlots = 8

/**
 * Counts different byte strings by linear counting: one bit per hash (`hashBytes`), so that memory stays at 512 KB whatever is counted. A short
 * body has a bit for each of its bytes, which is more than it can have names.
 * The count is slightly low (collisions); of long strings only both ends are looked at.
 */
export class DistinctNames {
  count = 0
  readonly #seen: Uint8Array
  readonly #lastSlot: number

  constructor(bodyBytes: number) {
    const slots = Math.min(maxSlots, 2 ** Math.ceil(Math.log2(Math.max(minSlots, bodyBytes))))
    this.#seen = new Uint8Array(slots / 8)
    this.#lastSlot = slots - 1
  }

  add(hash: number): void {
    const slot = fold(hash) & this.#lastSlot
    const cell = slot >>> 3
    const bit = 1 << (slot & 7)
    const seen = this.#seen[cell] ?? 0
    if ((seen & bit) !== 0) return
    this.#seen[cell] = seen | bit
    this.count += 1
  }
}

function fold(hash: number): number {
  return hash ^ (hash >>> 15)
}
