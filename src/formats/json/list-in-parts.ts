import { isRecord } from '../../contract/is-record.ts'
import { randomUUID } from 'node:crypto'
import type { ListSpan } from './scan.ts'

/** Only the beginning of a document may have a byte-order mark. */
const utf8 = new TextDecoder('utf-8', { fatal: true })
const utf8Part = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * A long list of a document whose entries are parsed a part at a time on each iteration, so that neither its text nor all of its values are
 * ever in memory at once. Throws a `NotInParts` at an entry that is not JSON.
 */
export class ListInParts implements Iterable<unknown> {
  readonly length: number
  readonly #bytes: Uint8Array
  readonly #span: ListSpan

  constructor(bytes: Uint8Array, span: ListSpan) {
    this.#bytes = bytes
    this.#span = span
    this.length = span.cuts.reduce((sum, { entries }) => sum + entries, span.lastEntries)
  }

  *[Symbol.iterator](): Generator<unknown, void, undefined> {
    let start = this.#span.start
    for (const { at, entries } of this.#span.cuts) {
      yield* this.#part(start, at, entries)
      start = at + 1
    }
    yield* this.#part(start, this.#span.end, this.#span.lastEntries)
  }

  #part(start: number, end: number, entries: number): unknown[] {
    const values = parsePart(`[${decodePart(this.#bytes, start, end)}]`)
    if (!Array.isArray(values) || values.length !== entries) throw new NotInParts()
    return values
  }
}

/** The document cannot be read in parts; read whole it is accepted or refused. */
class NotInParts extends Error {
  constructor() {
    super('the document is to be parsed whole')
  }
}

/**
 * The value of a JSON text with one long list in its root object, which is a `ListInParts` in it. Where everything around the list and each part of it
 * is JSON, the whole is JSON, since the scan that found the list sees the same strings as JSON.parse up to the first mistake.
 *
 * Throws `NotInParts` for anything else, even where a later key with another spelling replaces the list.
 */
export function parseAroundList(bytes: Uint8Array, span: ListSpan): object {
  const mark = randomUUID()
  const before = utf8.decode(bytes.subarray(0, span.start - 1))
  const after = decodePart(bytes, span.end + 1, bytes.length)
  const value = parsePart(`${before}"${mark}"${after}`)
  const isClosed = bytes[span.end] === closeBracket
  if (!isClosed || !isRecord(value) || value[span.key] !== mark) throw new NotInParts()
  value[span.key] = new ListInParts(bytes, span)
  return value
}

const closeBracket = 0x5d

function decodePart(bytes: Uint8Array, start: number, end: number): string {
  return utf8Part.decode(bytes.subarray(start, end))
}

function parsePart(text: string): unknown {
  return JSON.parse(text)
}
