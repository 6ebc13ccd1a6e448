import { compareDigits, compareLists, compareText, isDigits, withoutLeadingZeros } from '../compare.ts'
import { KeyWriter } from '../key.ts'
import type { OrderingRule } from '../ordering-rule.ts'
import { prereleaseRanks, releaseWords, shortWords } from './words.ts'

/** A number, a word, or a step before the release; `place` is the first byte of its part of the key. */
type Part = { place: number; text: string }

const firstPrerelease = 0x10
const end = 0x20
const word = 0x30
const number = 0x40

/** A digit first, after a `v`; then letters, digits and signs that only separate; then a build. */
const grammar = /^(?:v(?:er(?:sion)?)?[._-]?)?([0-9][0-9a-z._()-]*)(?:\+[0-9a-z._+-]*)?$/

/**
 * Versions of products named by CPE. NVD bounds ranges by versions (`versionEndExcluding`) but publishes no order for
 * them, and vendors number as they like, so this order is our own; it states what all common numbering schemes agree
 * on:
 *
 * - Numbers and words alternate (`2.8.123e`), other signs only separate; numbers count, zeros at the end of them say
 *   nothing (2.0 is 2.0.0), and a word is below a number in its place (1.0.1 < 1.0.1a < 1.0.1.1).
 * - Words of the way to a release (words.ts) are below it: 2.0-dev < 2.0-alpha1 < 2.0-rc1 < 2.0. All others are above
 *   it, by the alphabet: 2.0 < 2.0a < 2.0-p1 < 2.0-sp1. The `update` of a CPE is such a word.
 * - What follows a `+` is a build and orders nothing (semver.org, 10).
 *
 * No order: what does not begin with a number (`r2`, `trunk`, a release's name), epochs (`1:2.0`), spaces and signs of
 * ranges, and the hash of a commit.
 */
export const generic: OrderingRule<readonly Part[]> = {
  rule: 'https://nvd.nist.gov/developers/vulnerabilities (bounds of cpeMatch); the order of versions is our own',
  parse: parseGenericVersion,
  compare: compareVersions,
  key: genericKey,
}

function parseGenericVersion(version: string): Part[] | undefined {
  const release = grammar.exec(version.toLowerCase())?.[1]
  if (release === undefined || isCommitHash(release)) return undefined
  const parts: Part[] = []
  for (const text of release.match(/\d+|[a-z]+/g) ?? []) {
    if (isDigits(text)) parts.push({ place: number, text: withoutLeadingZeros(text) })
    else if (!releaseWords.has(text)) {
      dropZeros(parts)
      parts.push(wordPart(text))
    }
  }
  dropZeros(parts)
  return parts
}

/** Seven or more hexadecimal digits in which digits follow letters; dates with a letter (20070929a) are none. */
function isCommitHash(release: string): boolean {
  const [head = ''] = release.split(/[._()-]/, 1)
  return /^[0-9a-f]{7,}$/.test(head) && /[a-f]\d/.test(head)
}

function dropZeros(parts: Part[]): void {
  while (parts.at(-1)?.place === number && parts.at(-1)?.text === '') parts.pop()
}

function wordPart(text: string): Part {
  const rank = prereleaseRanks.get(text)
  return rank === undefined
    ? { place: word, text: shortWords.get(text) ?? text }
    : { place: firstPrerelease + rank, text: '' }
}

const theEnd: Part = { place: end, text: '' }

function compareVersions(a: readonly Part[], b: readonly Part[]): number {
  return compareLists([...a, theEnd], [...b, theEnd], compareParts)
}

function compareParts(a: Part, b: Part): number {
  const order = Math.sign(a.place - b.place)
  if (order !== 0) return order
  return a.place === number ? compareDigits(a.text, b.text) : compareText(a.text, b.text)
}

function genericKey(parts: readonly Part[]): Uint8Array {
  const key = new KeyWriter()
  for (const { place, text } of parts) {
    if (place === number) key.number(text)
    else if (place === word) key.mark(word).text(text)
    else key.mark(place)
  }
  return key.mark(end).finish()
}
