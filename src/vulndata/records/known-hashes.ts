/** Hexadecimal digits of a hash that fit into 32 bits. */
export const keptDigits = 8

/**
 * The stored deciding hashes, the first 4 bytes of each, sorted: for a million records their texts took a hundred bytes each. A different hash
 * with the same beginning counts as known too, which costs that record a second look (`RecordReading`); that is one in thousands.
 */
export type KnownHashes = Uint32Array<ArrayBuffer>

export const noneKnown: KnownHashes = new Uint32Array(0)

/** Of the beginnings of hashes, one behind the other. */
export function knownHashes(beginnings: string): KnownHashes {
  const known = new Uint32Array(Math.floor(beginnings.length / keptDigits))
  for (let index = 0; index < known.length; index += 1)
    known[index] = numberAt(beginnings, index * keptDigits)
  return known.sort()
}

export function isKnown(known: KnownHashes, hash: string): boolean {
  const wanted = numberAt(hash, 0)
  let low = 0
  let high = known.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((known[middle] ?? 0) < wanted) low = middle + 1
    else high = middle
  }
  return known[low] === wanted
}

function numberAt(text: string, at: number): number {
  return Number.parseInt(text.slice(at, at + keptDigits), 16)
}
