import type { BitReader } from './bit-reader.ts'
import { RefusedData } from '../refused-data.ts'

const maxLength = 20

/** A canonical code: by the length of its words the last one, and which symbol that is. */
export type Code = { shortest: number; limits: Int32Array; offsets: Int32Array; symbols: Uint16Array }

export function brokenBlock(what: string): RefusedData {
  return new RefusedData(`expected a complete bzip2 file, found ${what}`)
}

/** The lengths of a code's words, each written as the difference from the one before. */
export function readCode(reader: BitReader, symbolCount: number): Code {
  const lengths = new Uint8Array(symbolCount)
  let length = reader.bits(5)
  for (let symbol = 0; symbol < symbolCount; symbol += 1) {
    for (;;) {
      if (length < 1 || length > maxLength) throw brokenBlock('a code that is broken')
      if (!reader.bit()) break
      length += reader.bit() ? -1 : 1
    }
    lengths[symbol] = length
  }
  return codeOf(lengths)
}

function codeOf(lengths: Uint8Array): Code {
  const limits = new Int32Array(maxLength + 2).fill(-1)
  const offsets = new Int32Array(maxLength + 2)
  const symbols = Uint16Array.from(lengths.keys()).sort(
    (one, other) => (lengths[one] ?? 0) - (lengths[other] ?? 0) || one - other,
  )
  const counts = new Uint16Array(maxLength + 1)
  for (const length of lengths) counts[length] = (counts[length] ?? 0) + 1
  let word = 0
  let count = 0
  for (let length = 1; length <= maxLength; length += 1) {
    offsets[length] = count - word
    count += counts[length] ?? 0
    word += counts[length] ?? 0
    if (word > 2 ** length) throw brokenBlock('a code that is broken')
    limits[length] = word - 1
    word *= 2
  }
  return { shortest: Math.min(...lengths), limits, offsets, symbols }
}

export function readSymbol(reader: BitReader, { shortest, limits, offsets, symbols }: Code): number {
  let length = shortest
  let word = reader.bits(length)
  while (word > (limits[length] ?? -1)) {
    if (length >= maxLength) throw brokenBlock('a word that its code does not have')
    length += 1
    word = word * 2 + reader.bits(1)
  }
  return symbols[word + (offsets[length] ?? 0)] ?? 0
}
