import { compareDigits, compareLists, compareText, withoutLeadingZeros } from '../compare.ts'
import { KeyWriter } from '../key.ts'
import type { OrderingRule } from '../ordering-rule.ts'

/** One identifier between dots: the digits it begins with, and the rest. */
type Identifier = { digits: string; rest: string }

/** Zeros at the end of each list are left out. */
type ConanVersion = {
  release: readonly Identifier[]
  prerelease: readonly Identifier[] | undefined
  build: readonly Identifier[] | undefined
}

const grammar = /^[0-9A-Za-z_*][0-9A-Za-z_.+*~-]*$/

/**
 * Conan: identifiers between dots, prerelease after the first `-`, build after the last `+`, a version with build
 * above the one without.
 *
 * Conan compares a number with an identifier that only begins with digits as texts, which is no order
 * (10 < 1a < 2 < 10). Here the digits at the beginning decide first: the same answer wherever both have equally
 * many digits (1.1.1t < 1.1.1w), and the evident one elsewhere (9d < 10a).
 */
export const conan: OrderingRule<ConanVersion> = {
  rule: 'https://docs.conan.io/2/tutorial/versioning/version_ranges.html#semantic-versioning',
  parse: parseConanVersion,
  compare: (a, b) =>
    compareLists(a.release, b.release, compareIdentifiers) ||
    compareOptional(a.prerelease, b.prerelease, 1) ||
    compareOptional(a.build, b.build, -1),
  key: conanKey,
}

function parseConanVersion(version: string): ConanVersion | undefined {
  if (!grammar.test(version)) return undefined
  const plus = version.lastIndexOf('+')
  const beforeBuild = plus < 0 ? version : version.slice(0, plus)
  const hyphen = beforeBuild.indexOf('-')
  const release = (hyphen < 0 ? beforeBuild : beforeBuild.slice(0, hyphen)).split('.')
  if (release.includes('')) return undefined
  return {
    release: identifiersOf(release),
    prerelease: hyphen < 0 ? undefined : identifiersOf(beforeBuild.slice(hyphen + 1).split('.')),
    build: plus < 0 ? undefined : identifiersOf(version.slice(plus + 1).split('.')),
  }
}

function identifiersOf(texts: readonly string[]): Identifier[] {
  const identifiers = texts.map(identifierOf)
  while (isZero(identifiers.at(-1))) identifiers.pop()
  return identifiers
}

function identifierOf(text: string): Identifier {
  const digits = /^\d*/.exec(text)?.[0] ?? ''
  return { digits, rest: text.slice(digits.length) }
}

function isZero(identifier: Identifier | undefined): boolean {
  if (identifier === undefined || identifier.digits === '' || identifier.rest !== '') return false
  return withoutLeadingZeros(identifier.digits) === ''
}

/** Signs below the digits in ASCII (and nothing at all), digits, then letters and the signs above the digits. */
const belowDigits = 0x30
const digitsFirst = 0x40
const aboveDigits = 0x80

function placeOf(identifier: Identifier): number {
  if (identifier.digits !== '') return digitsFirst
  return identifier.rest < '0' ? belowDigits : aboveDigits
}

function compareIdentifiers(a: Identifier, b: Identifier): number {
  return (
    Math.sign(placeOf(a) - placeOf(b)) || compareDigits(a.digits, b.digits) || compareText(a.rest, b.rest)
  )
}

/** `absent` says where a version without the part is: -1 below those with it, 1 above. */
function compareOptional(
  a: readonly Identifier[] | undefined,
  b: readonly Identifier[] | undefined,
  absent: -1 | 1,
): number {
  if (a !== undefined && b !== undefined) return compareLists(a, b, compareIdentifiers)
  if (a === b) return 0
  return a === undefined ? absent : -absent
}

const endOfList = 0x08
const absentLow = 0x11
const present = 0x12
const absentHigh = 0x13

function conanKey(version: ConanVersion): Uint8Array {
  const key = new KeyWriter()
  writeIdentifiers(key, version.release)
  if (version.prerelease === undefined) key.mark(absentHigh)
  else writeIdentifiers(key.mark(present), version.prerelease)
  if (version.build === undefined) key.mark(absentLow)
  else writeIdentifiers(key.mark(present), version.build)
  return key.finish()
}

function writeIdentifiers(key: KeyWriter, identifiers: readonly Identifier[]): void {
  for (const identifier of identifiers) {
    const place = placeOf(identifier)
    if (place === digitsFirst) key.number(identifier.digits)
    else key.mark(place)
    key.text(identifier.rest)
  }
  key.mark(endOfList)
}
