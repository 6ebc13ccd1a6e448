import { describeContent, RefusedData } from '../../source-files/refused-data.ts'

/** About ten times the largest entry of the public data. */
const maxEntryBytes = 16 * 1024 ** 2
/** What is around the list: a few counts and a time. */
const maxEnvelopeBytes = 64 * 1024
const maxDepth = 64
/** A key with the white space behind it. */
const keyBytes = 200

const space = 0x20
const quote = 0x22
const comma = 0x2c
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/** Between the brackets of the list only these orders are JSON; null: outside of it. */
type Turn = 'first entry' | 'comma' | 'entry' | null

/** The depth between the brackets of the list: it is in the root object. */
const listDepth = 2

/**
 * Cuts the entries of one list out of a JSON document that comes in pieces, so that nothing but one entry is held at a time. The
 * document is hostile: depth, the size of an entry and of what surrounds the list are bounded (`RefusedData`). It judges no more
 * syntax than it needs; each entry, and the document without its entries, are JSON for their reader to parse.
 */
export class ListSplitter {
  readonly #keyBeforeList: RegExp
  readonly #envelope: Buffer[] = []
  #envelopeBytes = 0
  /** The end of the envelope so far: the key of a list may have come in an earlier piece. */
  #envelopeEnd = Buffer.alloc(0)
  /** The beginning of an entry whose end is in a later piece. */
  #pending: Buffer[] = []
  #pendingBytes = 0
  #depth = 0
  #isInString = false
  #isEscaped = false
  #turn: Turn = null
  #isInEntry = false
  #hasList = false

  /** `key` has only letters. */
  constructor(key: string) {
    this.#keyBeforeList = new RegExp(`"${key}"\\s*:\\s*$`)
  }

  /** The entries that end in this piece, in their order. They share its memory. */
  push(chunk: Buffer): Buffer[] {
    const entries: Buffer[] = []
    let start = 0
    for (let at = 0; at < chunk.length; at += 1) {
      if (this.#isInString) {
        at = this.#skipString(chunk, at)
        continue
      }
      const byte = chunk[at] ?? space
      if (byte <= space) continue
      if (this.#isInEntry) {
        this.#nest(byte)
        if (this.#depth === listDepth) entries.push(this.#closeEntry(chunk.subarray(start, at + 1)))
      } else if (this.#turn !== null) {
        if (this.#takeBetween(byte)) start = at
      } else {
        if (byte === openBracket && this.#depth === 1) this.#openList(chunk.subarray(start, at))
        this.#nest(byte)
      }
    }
    this.#keep(chunk.subarray(start))
    return entries
  }

  /** What surrounded the list, with an empty list in its place. Refuses a document that is cut off or has no such list. */
  finish(): unknown {
    const envelope = Buffer.concat(this.#envelope)
    if (!this.#hasList) throw new RefusedData(`expected NVD data, found ${describeContent(envelope)}`)
    if (this.#depth > 0 || this.#isInString) {
      throw new RefusedData('expected a whole file of NVD data, found one that is cut off')
    }
    try {
      return JSON.parse(envelope.toString('utf8').replace(/^\ufeff/, ''))
    } catch (cause) {
      throw new RefusedData('expected NVD data, found JSON with a mistake outside its entries', { cause })
    }
  }

  /** The place of the closing quote, or the end of the piece. */
  #skipString(chunk: Buffer, from: number): number {
    let at = from
    if (this.#isEscaped) {
      this.#isEscaped = false
      at += 1
    }
    while (at < chunk.length) {
      const byte = chunk[at]
      if (byte === quote) {
        this.#isInString = false
        return at
      }
      at += byte === backslash ? 2 : 1
    }
    this.#isEscaped = at > chunk.length
    return at
  }

  #nest(byte: number): void {
    if (byte === quote) this.#isInString = true
    else if (byte === openBrace || byte === openBracket) this.#depth += 1
    else if (byte === closeBrace || byte === closeBracket) this.#depth -= 1
    if (this.#depth > maxDepth) throw new RefusedData(`expected NVD data, found JSON deeper than ${maxDepth}`)
  }

  #openList(before: Buffer): void {
    const end = Buffer.concat([this.#envelopeEnd, before.subarray(-keyBytes)]).subarray(-keyBytes)
    if (!this.#keyBeforeList.test(end.toString('latin1'))) return
    if (this.#hasList) throw new RefusedData('expected one list of NVD entries, found two')
    this.#keepEnvelope(before)
    this.#keepEnvelope(Buffer.of(openBracket))
    this.#hasList = true
    this.#turn = 'first entry'
  }

  /** One sign of the list itself; true when an entry begins with it, or when the list ends and the surroundings go on. */
  #takeBetween(byte: number): boolean {
    if (byte === openBrace && this.#turn !== 'comma') {
      this.#isInEntry = true
      this.#depth += 1
      return true
    }
    if (byte === closeBracket && this.#turn !== 'entry') {
      this.#turn = null
      this.#depth -= 1
      return true
    }
    if (byte === comma && this.#turn === 'comma') {
      this.#turn = 'entry'
      return false
    }
    throw new RefusedData('expected a list of NVD entries, found another sign between them')
  }

  #closeEntry(last: Buffer): Buffer {
    this.#checkEntrySize(last)
    const entry = this.#pending.length === 0 ? last : Buffer.concat([...this.#pending, last])
    this.#pending = []
    this.#pendingBytes = 0
    this.#isInEntry = false
    this.#turn = 'comma'
    return entry
  }

  /** The rest of a piece: of an entry, of the surroundings, or white space between entries. */
  #keep(rest: Buffer): void {
    if (this.#isInEntry) {
      this.#checkEntrySize(rest)
      this.#pending.push(rest)
      this.#pendingBytes += rest.length
    } else if (this.#turn === null) this.#keepEnvelope(rest)
  }

  #checkEntrySize(more: Buffer): void {
    if (this.#pendingBytes + more.length > maxEntryBytes) {
      throw new RefusedData(`an NVD entry is larger than ${maxEntryBytes} bytes`)
    }
  }

  #keepEnvelope(bytes: Buffer): void {
    this.#envelopeBytes += bytes.length
    if (this.#envelopeBytes > maxEnvelopeBytes) {
      const beginning = Buffer.concat([...this.#envelope, bytes])
      throw new RefusedData(`expected NVD data, found ${describeContent(beginning)}`)
    }
    this.#envelope.push(Buffer.from(bytes))
    this.#envelopeEnd = Buffer.concat([this.#envelopeEnd, bytes.subarray(-keyBytes)]).subarray(-keyBytes)
  }
}
