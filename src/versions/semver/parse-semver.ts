import {
  compareDigits,
  compareLists,
  compareText,
  isDigits,
  withoutLeadingZeros,
  withoutTrailingZeros,
} from '../compare.ts'
import type { KeyWriter } from '../key.ts'

export type SemanticVersion = {
  /** Major, minor, patch and any further number, without leading zeros; zeros at the end are left out. */
  numbers: readonly string[]
  /** The identifiers after `-`; empty for a release. */
  prerelease: readonly string[]
  /** The identifiers after `+`. */
  build: readonly string[]
}

const identifiers = String.raw`[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*`
const grammar = new RegExp(String.raw`^(\d+(?:\.\d+)*)(?:-(${identifiers}))?(?:\+(${identifiers}))?$`)

/**
 * Reads Semantic Versioning 2.0.0 as registries contain it: numbers have any count of digits, leading zeros are
 * read as numbers, a missing minor or patch counts 0, and further numbers extend the list.
 */
export function parseSemver(version: string): SemanticVersion | undefined {
  const match = grammar.exec(version)
  if (match?.[1] === undefined) return undefined
  return {
    numbers: withoutTrailingZeros(match[1].split('.').map(withoutLeadingZeros)),
    prerelease: match[2]?.split('.') ?? [],
    build: match[3]?.split('.') ?? [],
  }
}

/** Compares release numbers, missing ones counting 0. */
export function compareReleaseNumbers(a: readonly string[], b: readonly string[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const order = compareDigits(a[index] ?? '0', b[index] ?? '0')
    if (order !== 0) return order
  }
  return 0
}

/** SemVer 2.0.0 clause 11.4: numeric identifiers below others, numbers by value, a longer list above its beginning. */
export function compareIdentifiers(a: readonly string[], b: readonly string[]): number {
  return compareLists(a, b, compareIdentifier)
}

function compareIdentifier(a: string, b: string): number {
  const isNumberA = isDigits(a)
  const isNumberB = isDigits(b)
  if (isNumberA && isNumberB) return compareDigits(a, b)
  if (isNumberA !== isNumberB) return isNumberA ? -1 : 1
  return compareText(a, b)
}

const endOfIdentifiers = 0x08
const textIdentifier = 0x80

/** Writes identifiers in the order of `compareIdentifiers`. */
export function writeIdentifiers(key: KeyWriter, list: readonly string[]): void {
  for (const identifier of list) {
    if (isDigits(identifier)) key.number(identifier)
    else key.mark(textIdentifier).text(identifier)
  }
  key.mark(endOfIdentifiers)
}
