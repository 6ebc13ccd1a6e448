/**
 * Building blocks of version keys: bytes that sort like the versions they stand for, compared unsigned with a
 * shorter prefix lower, as PostgreSQL compares bytea.
 *
 * At every place of a key the first byte tells the kind of part that follows, and kinds live in bands:
 *
 *     0x01          end of a text, below any character
 *     0x02 .. 0x3f  marks that sort below numbers
 *     0x40 .. 0x7f  numbers
 *     0x80 .. 0xff  marks that sort above numbers
 */
const endOfText = 0x01
const numberBand = 0x40
const longestShortNumber = 60
const longNumber = 0x7e

/** Collects the parts of one key in order. Characters of texts are ASCII, which every parser sees to. */
export class KeyWriter {
  readonly #bytes: number[] = []

  /** One byte that says what follows; its value is its place in the scheme's order. */
  mark(byte: number): this {
    this.#bytes.push(byte)
    return this
  }

  /** A decimal number of any length: the count of its digits, then the digits, leading zeros left out. */
  number(digits: string): this {
    let first = 0
    while (first < digits.length && digits.charCodeAt(first) === 0x30) first += 1
    const count = digits.length - first
    if (count <= longestShortNumber) this.#bytes.push(numberBand + count)
    else this.#bytes.push(longNumber, count >> 8, count & 0xff)
    for (let at = first; at < digits.length; at += 1) this.#bytes.push(digits.charCodeAt(at))
    return this
  }

  /** Characters in their ASCII order, a prefix lower. */
  text(characters: string): this {
    for (let at = 0; at < characters.length; at += 1) this.#bytes.push(characters.charCodeAt(at))
    this.#bytes.push(endOfText)
    return this
  }

  finish(): Uint8Array {
    return new Uint8Array(this.#bytes)
  }
}
