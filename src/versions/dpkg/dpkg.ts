import { compareDigits } from '../compare.ts'
import { KeyWriter } from '../key.ts'
import type { OrderingRule } from '../ordering-rule.ts'

type DebianVersion = { epoch: string; upstream: string; revision: string }

/** Debian's characters, and `_`, which opam allows and Debian's order places among the other signs. */
const grammar = /^(?:(\d+):)?([0-9A-Za-z.+~:_-]+)$/

/**
 * Debian, Ubuntu and opam: epoch, then upstream version, then revision. A missing epoch is 0; a missing revision
 * equals `0`.
 */
export const dpkg: OrderingRule<DebianVersion> = {
  rule: 'https://www.debian.org/doc/debian-policy/ch-controlfields.html#version (Debian Policy 5.6.12)',
  parse: parseDebianVersion,
  compare: (a, b) =>
    compareDigits(a.epoch, b.epoch) ||
    comparePart(a.upstream, b.upstream) ||
    comparePart(a.revision, b.revision),
  key: (version) => {
    const key = new KeyWriter().number(version.epoch)
    writePart(key, version.upstream)
    writePart(key, version.revision)
    return key.finish()
  },
}

function parseDebianVersion(version: string): DebianVersion | undefined {
  const [, epoch, rest] = grammar.exec(version) ?? []
  // Without an epoch a colon is not allowed in the upstream version.
  if (rest === undefined || (epoch === undefined && rest.includes(':'))) return undefined
  const hyphen = rest.lastIndexOf('-')
  const upstream = hyphen < 0 ? rest : rest.slice(0, hyphen)
  const revision = hyphen < 0 ? '' : rest.slice(hyphen + 1)
  if (upstream === '' || (hyphen >= 0 && revision === '')) return undefined
  return { epoch: epoch ?? '0', upstream, revision }
}

const endOfText = 0x20

/** Policy: "all the letters sort earlier than all the non-letters", and a tilde sorts before everything, even the end. */
function placeOf(character: string | undefined): number {
  if (character === undefined || isDigit(character)) return endOfText
  if (character === '~') return 0x10
  const code = character.charCodeAt(0)
  return isLetter(character) ? code : code + 0x60
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9'
}

function isLetter(character: string): boolean {
  return (character >= 'A' && character <= 'Z') || (character >= 'a' && character <= 'z')
}

/** Compares the initial part of non-digits, then the initial part of digits, and so on until both are used up. */
function comparePart(a: string, b: string): number {
  let atA = 0
  let atB = 0
  while (atA < a.length || atB < b.length) {
    let order = Math.sign(placeOf(a[atA]) - placeOf(b[atB]))
    if (order !== 0) return order
    if (placeOf(a[atA]) !== endOfText) {
      atA += 1
      atB += 1
      continue
    }
    const digitsA = digitsFrom(a, atA)
    const digitsB = digitsFrom(b, atB)
    order = compareDigits(digitsA, digitsB)
    if (order !== 0) return order
    atA += digitsA.length
    atB += digitsB.length
  }
  return 0
}

function digitsFrom(text: string, start: number): string {
  let end = start
  while (end < text.length && isDigit(text[end] ?? '')) end += 1
  return text.slice(start, end)
}

/**
 * Pairs of (non-digits, number), a missing number being 0, closed by the end of an empty text: what follows a
 * number is thereby compared with `~`, letters and signs as the comparison above does it.
 */
function writePart(key: KeyWriter, part: string): void {
  let at = 0
  do {
    while (at < part.length && !isDigit(part[at] ?? '')) {
      key.mark(placeOf(part[at]))
      at += 1
    }
    const digits = digitsFrom(part, at)
    key.mark(endOfText).number(digits)
    at += digits.length
  } while (at < part.length)
  key.mark(endOfText)
}
