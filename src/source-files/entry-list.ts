import type { PlacedEntry } from './placed-entry.ts'

/** What is kept of an entry as a whole number of 32 bits. */
const numbersOfEntry = 4
const inPiece = 4_096
const encryptedBit = 1

/**
 * The entries of a zip file, in their order: some thousand in one piece of memory, 24 bytes and the name for each. As objects a million took
 * 200 MB, and the collector looked at them again and again.
 */
export class EntryList implements Iterable<PlacedEntry> {
  readonly #pieces: Piece[] = []
  #open = newPiece()
  #length = 0

  get length(): number {
    return this.#length
  }

  /** Sizes of less than 4 GiB. */
  add(entry: PlacedEntry): void {
    const { names, numbers, offsets } = this.#open
    const at = names.length
    offsets[at] = entry.relativeOffsetOfLocalHeader
    numbers.set(
      [
        entry.compressedSize,
        entry.uncompressedSize,
        entry.crc32,
        entry.compressionMethod * 2 + (entry.isEncrypted ? encryptedBit : 0),
      ],
      at * numbersOfEntry,
    )
    names.push(entry.fileName)
    this.#length += 1
    if (names.length === inPiece) this.#closePiece()
  }

  *[Symbol.iterator](): Generator<PlacedEntry> {
    for (const piece of this.#pieces) yield* entriesOf(piece, splitNames(piece))
    yield* entriesOf(this.#open, this.#open.names)
  }

  /** One text instead of thousands. */
  #closePiece(): void {
    const { names, numbers, offsets } = this.#open
    let end = 0
    const nameEnds = Uint32Array.from(names, (name) => (end += name.length))
    this.#pieces.push({ names: names.join(''), nameEnds, numbers, offsets })
    this.#open = newPiece()
  }
}

type Numbers = { numbers: Uint32Array; offsets: Float64Array }
type Piece = Numbers & { names: string; nameEnds: Uint32Array }

function newPiece(): Numbers & { names: string[] } {
  return {
    names: [],
    numbers: new Uint32Array(inPiece * numbersOfEntry),
    offsets: new Float64Array(inPiece),
  }
}

function* splitNames({ names, nameEnds }: Piece): Generator<string> {
  let start = 0
  for (const end of nameEnds) {
    yield names.slice(start, end)
    start = end
  }
}

function* entriesOf({ numbers, offsets }: Numbers, names: Iterable<string>): Generator<PlacedEntry> {
  let index = 0
  for (const fileName of names) {
    const at = index * numbersOfEntry
    const method = numbers[at + 3] ?? 0
    yield {
      fileName,
      compressedSize: numbers[at] ?? 0,
      uncompressedSize: numbers[at + 1] ?? 0,
      crc32: numbers[at + 2] ?? 0,
      compressionMethod: method >>> 1,
      isEncrypted: (method & encryptedBit) !== 0,
      relativeOffsetOfLocalHeader: offsets[index] ?? 0,
    }
    index += 1
  }
}
