import { compareDigits, compareText, withoutLeadingZeros } from '../compare.ts'
import type { OrderingRule } from '../ordering-rule.ts'
import { type Item, itemsOf } from './items.ts'

/** What Maven's model validation refuses in a version, and what is no printable ASCII. */
const forbidden = /[\\/:"<>|?*[\](){},]|[^\x21-\x7e]/

/**
 * Maven: `ComparableVersion` as it is since Maven 3.8.7 (`1.0.RC2` = `1.0-RC2`). It is antisymmetric but not
 * transitive (`1-alpha` < `1` < `1.sp.1` < `1-alpha`), so no key can exist.
 */
export const maven: OrderingRule<readonly Item[]> = {
  rule: 'https://maven.apache.org/pom.html#version-order-specification',
  parse: (version) =>
    version === '' || forbidden.test(version) ? undefined : itemsOf(version.toLowerCase()),
  compare: compareLists,
  key: null,
}

/** Missing items are compared as nothing: 0, "" and the empty list. */
function compareLists(a: readonly Item[], b: readonly Item[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const itemA = a[index]
    const itemB = b[index]
    const order = itemA === undefined ? 0 - compareWithNothing(itemB) : compareItems(itemA, itemB)
    if (order !== 0) return order
  }
  return 0
}

const rank = { qualifier: 0, list: 1, number: 2 }

function compareItems(a: Item, b: Item | undefined): number {
  if (b === undefined) return compareWithNothing(a)
  if (a.kind === 'number' && b.kind === 'number') return compareDigits(a.digits, b.digits)
  if (a.kind === 'qualifier' && b.kind === 'qualifier') return compareQualifiers(a.word, b.word)
  if (a.kind === 'list' && b.kind === 'list') return compareLists(a.items, b.items)
  return Math.sign(rank[a.kind] - rank[b.kind])
}

function compareWithNothing(item: Item | undefined): number {
  if (item === undefined) return 0
  switch (item.kind) {
    case 'number':
      return withoutLeadingZeros(item.digits) === '' ? 0 : 1
    case 'qualifier':
      return compareQualifiers(item.word, '')
    case 'list':
      return firstDifferenceFromNothing(item.items)
  }
}

function firstDifferenceFromNothing(items: readonly Item[]): number {
  for (const item of items) {
    const order = compareWithNothing(item)
    if (order !== 0) return order
  }
  return 0
}

/** Known qualifiers in their order, the release being the empty one; unknown qualifiers follow in text order. */
const qualifiers = ['alpha', 'beta', 'milestone', 'rc', 'snapshot', '', 'sp']

function compareQualifiers(a: string, b: string): number {
  const placeA = qualifiers.indexOf(a)
  const placeB = qualifiers.indexOf(b)
  if (placeA >= 0 && placeB >= 0) return Math.sign(placeA - placeB)
  if (placeA >= 0 || placeB >= 0) return placeA >= 0 ? -1 : 1
  return compareText(a, b)
}
