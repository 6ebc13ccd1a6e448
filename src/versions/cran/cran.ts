import { compareNumberLists, numberListKey } from '../number-list.ts'
import type { OrderingRule } from '../ordering-rule.ts'

/** CRAN: numbers separated by `.` or `-`, which mean the same. */
export const cran: OrderingRule<readonly string[]> = {
  rule: 'https://stat.ethz.ch/R-manual/R-devel/library/base/html/numeric_version.html',
  parse: (version) => (/^\d+(?:[.-]\d+)*$/.test(version) ? version.split(/[.-]/) : undefined),
  compare: compareNumberLists,
  key: numberListKey,
}
