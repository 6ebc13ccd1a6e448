/** Ids whose bits share one piece of memory. */
const idsInPiece = 32_768
const bitsInWord = 32

/** What can be asked whether it holds an id. */
export type HasId = { has: (id: number) => boolean }

/**
 * Ids of rows, one bit each. Those of an import are close together, and there are a million: sets of numbers, and above all of names, took more
 * memory than the rest of the import. Iterates in ascending order.
 */
export class RowIds implements Iterable<number>, HasId {
  readonly #pieces = new Map<number, Uint32Array>()
  #size = 0

  get size(): number {
    return this.#size
  }

  add(id: number): void {
    const word = Math.floor((id % idsInPiece) / bitsInWord)
    const piece = this.#pieceOf(id)
    const before = piece[word] ?? 0
    const after = (before | (1 << (id % bitsInWord))) >>> 0
    if (after === before) return
    piece[word] = after
    this.#size += 1
  }

  has(id: number): boolean {
    const piece = this.#pieces.get(Math.floor(id / idsInPiece))
    const word = piece?.[Math.floor((id % idsInPiece) / bitsInWord)] ?? 0
    return (word & (1 << (id % bitsInWord))) !== 0
  }

  *[Symbol.iterator](): Generator<number> {
    for (const [place, piece] of [...this.#pieces].sort(([a], [b]) => a - b)) {
      for (const [index, word] of piece.entries()) {
        if (word !== 0) yield* idsIn(word, place * idsInPiece + index * bitsInWord)
      }
    }
  }

  /** So many at a time. */
  *inRuns(max: number): Generator<number[]> {
    let run: number[] = []
    for (const id of this) {
      run.push(id)
      if (run.length < max) continue
      yield run
      run = []
    }
    if (run.length > 0) yield run
  }

  #pieceOf(id: number): Uint32Array {
    const place = Math.floor(id / idsInPiece)
    const known = this.#pieces.get(place)
    if (known !== undefined) return known
    const piece = new Uint32Array(idsInPiece / bitsInWord)
    this.#pieces.set(place, piece)
    return piece
  }
}

function* idsIn(word: number, first: number): Generator<number> {
  for (let bit = 0; bit < bitsInWord; bit += 1) if ((word & (1 << bit)) !== 0) yield first + bit
}
