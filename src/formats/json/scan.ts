import { limits } from '../../contract/limits.ts'
import { DistinctNames } from './distinct-names.ts'
import { hashBytes } from './hash-bytes.ts'
import { UnusualKeys } from './unusual-keys.ts'

/** What a document of legal size can contain too much of. */
export type JsonBudget = 'depth' | 'containers' | 'separators' | 'names' | 'unusualKeys'

/**
 * Different keys and short strings in one document: real documents of 50 MB have some thousands,
 * while four million different ones take JSON.parse four seconds.
 */
export const maxDistinctNames = 1_000_000

/** Keys of objects with a rare shape, of large ones and of those with numeric keys. */
export const maxUnusualKeys = 200_000

export type JsonScan =
  /** `span`: the one list that was asked for, where it lies in the root object and is long; else null. */
  | { kind: 'ok'; span: ListSpan | null }
  /** The first character is `<`. */
  | { kind: 'xml' }
  /** `listEntries`: how many entries of the named lists had begun before the budget broke. */
  | { kind: 'over_budget'; budget: JsonBudget; listEntries: number }

/** Where a list lies in its document, cut so that each part can be parsed by itself. */
export type ListSpan = {
  key: string
  /** Behind the opening bracket, and at the closing one. */
  start: number
  end: number
  /** Commas between two entries, and how many entries lie before each since the one before. */
  cuts: { at: number; entries: number }[]
  /** After the last cut. */
  lastEntries: number
}

const space = 0x20
const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const lessThan = 0x3c
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d
const whiteSpace = new Set([0x09, 0x0a, 0x0d, 0x20])

const sharedStringBytes = 10
/** Up to this, looking at each byte of a string is faster than a search. */
const nearBytes = 48
/** The lists are in the root object, or in the `Document` that SPDX 2.2 first put around it. */
const deepestList = 2
/** The depth between the brackets of a list in the root object. */
const rootList = 2
const none = -1
/** Shorter lists are not worth it. */
const shortestSpan = 1024 * 1024
/** Shorter parts are not worth a call each. A text of over 128 KB would be outside of V8's pages, and the system makes memory for each. */
const shortestPart = 32 * 1024

/**
 * Counts what JSON.parse would have to build, in one pass over the bytes, before anything is built: 50 MB of `{},{},…`
 * cost it many seconds and more than a gigabyte. It checks no syntax; up to the first error it sees the same strings as
 * JSON.parse, so nothing can hide from it.
 *
 * The entries of the lists under `listKeys`, in the root object or one level below it, are counted beside.
 */
export function scanJson(bytes: Uint8Array, listKeys: readonly string[]): JsonScan {
  const start = firstCharacter(bytes)
  if (bytes[start] === lessThan) return { kind: 'xml' }
  const counts = new Counts(bytes, listKeys)
  countFrom(start, bytes, counts)
  if (counts.broken === null) return { kind: 'ok', span: counts.list.span() }
  return { kind: 'over_budget', budget: counts.broken, listEntries: counts.list.entries }
}

function countFrom(start: number, bytes: Uint8Array, counts: Counts): void {
  for (let at = start; at < bytes.length && counts.broken === null; at += 1) {
    const byte = bytes[at] ?? space
    if (byte <= space) continue
    switch (byte) {
      case quote:
        at = counts.string(at + 1)
        break
      case comma:
        counts.comma(at)
        break
      case colon:
        counts.colon()
        break
      case openBrace:
        counts.open()
        break
      case openBracket:
        counts.openList(at)
        break
      case closeBrace:
      case closeBracket:
        counts.close(at)
        break
    }
  }
}

/** What has been seen so far; `broken` names the first budget that is used up. */
class Counts {
  readonly list: ListEntries
  broken: JsonBudget | null = null
  readonly #bytes: Uint8Array
  readonly #ends: StringEnds
  readonly #names: DistinctNames
  readonly #unusual: UnusualKeys
  #depth = 0
  #containers = 0
  #separators = 0
  /** The last string: the key, where a colon or the beginning of a list follows. */
  #stringStart = 0
  #stringEnd = 0
  /** The hash of the last string, once needed: a key is counted by it in two ways. */
  #stringHash: number | null = null

  constructor(bytes: Uint8Array, listKeys: readonly string[]) {
    this.#bytes = bytes
    this.#ends = new StringEnds(bytes)
    this.#names = new DistinctNames(bytes.length)
    this.#unusual = new UnusualKeys()
    this.list = new ListEntries(bytes, listKeys)
  }

  /** Returns the position of the closing quote. */
  string(start: number): number {
    const end = this.#ends.from(start)
    this.#stringStart = start
    this.#stringEnd = end
    this.#stringHash = null
    // JSON.parse shares equal strings of up to ten characters, and keys of any length, through one growing table.
    if (end - start <= sharedStringBytes) this.#name()
    return end
  }

  colon(): void {
    this.#separator()
    if (this.#stringEnd - this.#stringStart > sharedStringBytes) this.#name()
    this.#unusual.key(this.#depth, this.#bytes[this.#stringStart] ?? 0, this.#hash())
    this.#checkUnusual()
  }

  comma(at: number): void {
    this.#separator()
    if (this.#depth === this.list.depth) this.list.comma(at)
  }

  openList(at: number): void {
    if (this.#depth <= deepestList && followsColon(this.#bytes, at)) {
      this.list.open(this.#depth + 1, at, { start: this.#stringStart, end: this.#stringEnd })
    }
    this.open()
  }

  open(): void {
    this.#depth += 1
    this.#containers += 1
    this.#unusual.open(this.#depth)
    if (this.#depth > limits.jsonDepth) this.broken = 'depth'
    else if (this.#containers > limits.jsonContainers) this.broken = 'containers'
  }

  close(at: number): void {
    if (this.#depth === this.list.depth) this.list.close(at)
    this.#unusual.close(this.#depth)
    this.#checkUnusual()
    this.#depth -= 1
  }

  #separator(): void {
    this.#separators += 1
    if (this.#separators > limits.jsonSeparators) this.broken = 'separators'
  }

  #checkUnusual(): void {
    if (this.#unusual.count > maxUnusualKeys) this.broken = 'unusualKeys'
  }

  #name(): void {
    this.#names.add(this.#hash())
    if (this.#names.count > maxDistinctNames) this.broken = 'names'
  }

  #hash(): number {
    return (this.#stringHash ??= hashBytes(this.#bytes, this.#stringStart, this.#stringEnd))
  }
}

/** The entries of the lists that decide the answer: one too many of them has a code of its own. */
class ListEntries {
  /** The depth between the brackets of the list that is open, else `none`. */
  depth = none
  entries = 0
  readonly #bytes: Uint8Array
  readonly #keys: readonly { key: string; bytes: Uint8Array }[]
  /** The first that was opened; null once there is another one. */
  #span: ListSpan | null | undefined
  #partStart = 0
  #partEntries = 0

  constructor(bytes: Uint8Array, keys: readonly string[]) {
    this.#bytes = bytes
    this.#keys = keys.map((key) => ({ key, bytes: Buffer.from(key) }))
  }

  open(depth: number, at: number, name: { start: number; end: number }): void {
    const found = this.#bytes.subarray(name.start, name.end)
    const known = this.#keys.find(({ bytes }) => Buffer.compare(bytes, found) === 0)
    if (known === undefined) return
    this.depth = depth
    this.entries += 1
    const isFirst = this.#span === undefined && depth === rootList
    this.#span = isFirst ? { key: known.key, start: at + 1, end: none, cuts: [], lastEntries: 0 } : null
    this.#partStart = at
    this.#partEntries = 1
  }

  comma(at: number): void {
    this.entries += 1
    if (at - this.#partStart >= shortestPart) {
      this.#span?.cuts.push({ at, entries: this.#partEntries })
      this.#partStart = at
      this.#partEntries = 0
    }
    this.#partEntries += 1
  }

  close(at: number): void {
    this.depth = none
    const span = this.#span
    if (span?.end !== none) return
    span.end = at
    span.lastEntries = this.#partEntries
  }

  /** The one list of a document that is long. */
  span(): ListSpan | null {
    const span = this.#span ?? null
    return span !== null && span.end - span.start >= shortestSpan ? span : null
  }
}

/** The position of the quote that closes a string, or the end of the bytes. Strings are asked for in their order. */
class StringEnds {
  readonly #bytes: Buffer
  /** The next backslash after a position already passed, or the end of the bytes. */
  #backslash = -1

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  }

  from(start: number): number {
    const near = Math.min(start + nearBytes, this.#bytes.length)
    let at = start
    while (at < near) {
      const byte = this.#bytes[at]
      if (byte === quote) return at
      if (byte === backslash) return this.#walk(at)
      at += 1
    }
    return this.#far(at)
  }

  /** In long texts the native search is many times faster than checking each byte. */
  #far(start: number): number {
    if (this.#backslash < start) this.#backslash = this.#next(backslash, start)
    const end = this.#next(quote, start)
    return end < this.#backslash ? end : this.#walk(this.#backslash)
  }

  #next(byte: number, start: number): number {
    const place = this.#bytes.indexOf(byte, start)
    return place === -1 ? this.#bytes.length : place
  }

  #walk(start: number): number {
    const bytes = this.#bytes
    let at = start
    while (at < bytes.length) {
      const byte = bytes[at]
      if (byte === quote) return at
      at += byte === backslash ? 2 : 1
    }
    return bytes.length
  }
}

/** Whether the value that begins here has a key. White space before a bracket is looked at once, so this stays linear. */
function followsColon(bytes: Uint8Array, at: number): boolean {
  let before = at - 1
  while (whiteSpace.has(bytes[before] ?? 0)) before -= 1
  return bytes[before] === colon
}

/** Past a byte-order mark and white space. */
function firstCharacter(bytes: Uint8Array): number {
  let at = 0
  for (;;) {
    if (whiteSpace.has(bytes[at] ?? 0)) at += 1
    else if (bytes[at] === 0xef && bytes[at + 1] === 0xbb && bytes[at + 2] === 0xbf) at += 3
    else return at
  }
}
