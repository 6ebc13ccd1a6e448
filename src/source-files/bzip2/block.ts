import type { BitReader } from './bit-reader.ts'
import type { BlockMemory } from './block-memory.ts'
import { brokenBlock, readCode, readSymbol, type Code } from './huffman.ts'

const symbolsPerSelector = 50
/** The symbols 0 and 1 are digits of how often the first byte of the list comes. */
const runB = 1

/** The sorted bytes of a block, and where the first one of its text is. */
export type SortedBlock = { bytes: Uint8Array; origin: number }

/** Of the level that the file states. */
type BlockRoom = { memory: BlockMemory; size: number }

/** Reads a block behind its checksum; `size` is the maximum that it may hold. Refuses (`RefusedData`) what is broken. */
export function readBlock(reader: BitReader, room: BlockRoom): SortedBlock {
  if (reader.bit()) throw brokenBlock('a block of a kind that is no longer written')
  const origin = reader.bits(24)
  const alphabet = readAlphabet(reader)
  const symbols = new Symbols(reader, alphabet.length + 2)
  const content = new Content(room)
  const end = alphabet.length + 1
  let run = 0
  let runWeight = 1
  for (let symbol = symbols.next(); ; symbol = symbols.next()) {
    if (symbol <= runB) {
      run += runWeight * (symbol + 1)
      runWeight *= 2
      if (run > room.size) throw brokenBlock('a block that is too large')
      continue
    }
    content.add(alphabet[0] ?? 0, run)
    run = 0
    runWeight = 1
    if (symbol === end) break
    content.add(toFront(alphabet, symbol - 1), 1)
  }
  const bytes = content.all()
  if (origin >= bytes.length) throw brokenBlock('a block that begins outside of itself')
  return { bytes, origin }
}

class Content {
  readonly #memory: BlockMemory
  readonly #size: number
  #bytes: Uint8Array
  #length = 0

  constructor({ memory, size }: BlockRoom) {
    this.#memory = memory
    this.#size = size
    this.#bytes = memory.bytes(0)
  }

  add(byte: number, count: number): void {
    const end = this.#length + count
    if (end > this.#bytes.length) this.#grow(end)
    if (count === 1) this.#bytes[this.#length] = byte
    else if (count > 1) this.#bytes.fill(byte, this.#length, end)
    this.#length = end
  }

  #grow(end: number): void {
    if (end > this.#size) throw brokenBlock('a block that is too large')
    this.#bytes = this.#memory.bytes(end, this.#length)
  }

  all(): Uint8Array {
    if (this.#length > this.#size) throw brokenBlock('a block that is too large')
    return this.#bytes.subarray(0, this.#length)
  }
}

/** The symbols of a block; each fifty are written in one of its codes. */
class Symbols {
  readonly #reader: BitReader
  readonly #codes: Code[]
  readonly #selectors: Uint8Array
  #selector = 0
  #left = 0
  #code: Code | undefined

  constructor(reader: BitReader, count: number) {
    this.#reader = reader
    const { codes, selectors } = readCodes(reader, count)
    this.#codes = codes
    this.#selectors = selectors
  }

  next(): number {
    if (this.#left === 0) {
      this.#code = this.#codes[this.#selectors[this.#selector] ?? this.#codes.length]
      this.#selector += 1
      this.#left = symbolsPerSelector
    }
    if (this.#code === undefined) throw brokenBlock('a block that is longer than it says')
    this.#left -= 1
    return readSymbol(this.#reader, this.#code)
  }
}

/** Which bytes occur in the block: 16 times 16 of them. */
function readAlphabet(reader: BitReader): Uint8Array {
  const groups = reader.bits(16)
  const used: number[] = []
  for (let group = 0; group < 16; group += 1) {
    if ((groups & (0x8000 >> group)) === 0) continue
    const members = reader.bits(16)
    for (let at = 0; at < 16; at += 1) if ((members & (0x8000 >> at)) !== 0) used.push(group * 16 + at)
  }
  if (used.length === 0) throw brokenBlock('a block without bytes')
  return Uint8Array.from(used)
}

function readCodes(reader: BitReader, symbolCount: number): { codes: Code[]; selectors: Uint8Array } {
  const count = reader.bits(3)
  const selectorCount = reader.bits(15)
  if (count < 2 || count > 6 || selectorCount === 0) throw brokenBlock('a block without codes')
  const order = Uint8Array.from({ length: count }, (_, at) => at)
  const selectors = new Uint8Array(selectorCount)
  for (let at = 0; at < selectorCount; at += 1) {
    let place = 0
    while (reader.bit()) {
      place += 1
      if (place >= count) throw brokenBlock('a code that it does not have')
    }
    selectors[at] = toFront(order, place)
  }
  return { codes: Array.from({ length: count }, () => readCode(reader, symbolCount)), selectors }
}

/** Takes the entry at a place to the front of its list. */
function toFront(list: Uint8Array, place: number): number {
  const entry = list[place] ?? 0
  list.copyWithin(1, 0, place)
  list[0] = entry
  return entry
}

/**
 * Undoes the sorting (Burrows and Wheeler): of each byte, where the next one is, with the byte in the lowest bits. The text is written over the
 * sorted bytes.
 */
export function unsorted({ bytes, origin }: SortedBlock, memory: BlockMemory): Uint8Array {
  const starts = startsOf(bytes)
  const links = memory.links(bytes.length)
  for (let at = 0; at < bytes.length; at += 1) links[at] = bytes[at] ?? 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    const place = starts[byte] ?? 0
    links[place] = (links[place] ?? 0) | (at << 8)
    starts[byte] = place + 1
  }
  let at = (links[origin] ?? 0) >>> 8
  for (let place = 0; place < bytes.length; place += 1) {
    const link = links[at] ?? 0
    bytes[place] = link
    at = link >>> 8
  }
  return bytes
}

/** Where each byte begins in their order. */
function startsOf(bytes: Uint8Array): Uint32Array {
  const counts = new Uint32Array(256)
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    counts[byte] = (counts[byte] ?? 0) + 1
  }
  let sum = 0
  return counts.map((count) => {
    const start = sum
    sum += count
    return start
  })
}
