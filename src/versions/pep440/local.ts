import { absentHigh, absentLow } from './pep440.ts'

/** Which comparisons leave out the local part of a version: those with a version that has none. PEP 440, "Version matching" and "Inclusive ordered comparison". */
export function comparedWith(version: string, bound: string): string {
  const plus = version.indexOf('+')
  return plus === -1 || bound.includes('+') ? version : version.slice(0, plus)
}

/**
 * The highest key among a version's and those of its local versions: as an included upper bound it includes all of them. The same key where
 * the version has a local part itself, or is no version of PEP 440.
 */
export function withLocalVersions(key: Uint8Array): Uint8Array {
  if (key.at(-1) !== absentLow) return key
  const highest = Uint8Array.from(key)
  highest[key.length - 1] = absentHigh
  return highest
}
