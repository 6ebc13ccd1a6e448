import type { FamilyDetail } from '#contract/products/shapes.ts'

/** The named versions in use, the current one first. */
export function versionNames({ versions }: Pick<FamilyDetail, 'versions'>): string[] {
  return versions
    .filter(({ retiredAt }) => retiredAt === null)
    .toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent))
    .flatMap(({ name }) => name ?? [])
}
