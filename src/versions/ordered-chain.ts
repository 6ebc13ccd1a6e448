import { isOrderable, orderingOf, versionKey, type VersionScheme } from './ordering.ts'

/** Examples for tests: versions from the oldest to the newest, equal ones in one row. */
export type OrderedChain = readonly (readonly string[])[]

/** How many statements about two versions a chain makes. */
export function countPairs(chain: OrderedChain): number {
  const versions = chain.flat().length
  return (versions * (versions - 1)) / 2
}

/** Every pair of a chain that the comparison or the keys of a scheme order differently, in either direction. */
export function findDisorder(scheme: VersionScheme, chain: OrderedChain): string[] {
  const placed = chain.flatMap((row, place) => row.map((version) => ({ version, place })))
  const unorderable = placed.filter(({ version }) => !isOrderable(scheme, version))
  const disorder = unorderable.map(({ version }) => `${version} is not orderable`)
  for (const a of placed)
    for (const b of placed) {
      const expected = Math.sign(a.place - b.place)
      const found = describeOrder(scheme, a.version, b.version)
      if (found.some((order) => order !== expected))
        disorder.push(
          `${a.version} ${signs[expected + 1] ?? ''} ${b.version}: comparison and keys say ${found.join(', ')}`,
        )
    }
  return disorder
}

const signs = ['<', '=', '>']

/** The order by comparison and, where the scheme has keys, by the keys. */
function describeOrder(scheme: VersionScheme, a: string, b: string): (number | undefined)[] {
  const { compare, key } = orderingOf(scheme)
  const byComparison = compare(a, b)
  if (key === null) return [byComparison]
  const keyA = versionKey(scheme, a)
  const keyB = versionKey(scheme, b)
  return [byComparison, keyA === null || keyB === null ? undefined : Buffer.compare(keyA, keyB)]
}
