import { compareDigits, compareLists } from './compare.ts'
import { KeyWriter } from './key.ts'

/** Compares lists of numbers in which `1.0` is below `1.0.0`. */
export function compareNumberLists(a: readonly string[], b: readonly string[]): number {
  return compareLists(a, b, compareDigits)
}

/** The numbers one after the other: a list that is the beginning of another gives a prefix, which sorts lower. */
export function numberListKey(numbers: readonly string[]): Uint8Array {
  const key = new KeyWriter()
  for (const number of numbers) key.number(number)
  return key.finish()
}
