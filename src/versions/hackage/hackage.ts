import { compareNumberLists, numberListKey } from '../number-list.ts'
import type { OrderingRule } from '../ordering-rule.ts'

/** Hackage: numbers separated by `.` (Haskell's package versioning policy and `Data.Version`). */
export const hackage: OrderingRule<readonly string[]> = {
  rule: 'https://pvp.haskell.org/#version-numbers',
  parse: (version) => (/^\d+(?:\.\d+)*$/.test(version) ? version.split('.') : undefined),
  compare: compareNumberLists,
  key: numberListKey,
}
