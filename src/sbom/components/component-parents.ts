import type { DependencyEdge, SbomDocument } from '../../formats/sbom/document.ts'
import type { ComponentRow } from './component-rows.ts'

/** Stands for the product itself among the parents of components; numbers of components begin at 1. */
export const product = 0

/** `numbers`: of all components of the SBOM, ascending. */
export type Numbering = { numbers: readonly number[]; numberOf: (row: ComponentRow) => number | undefined }

/**
 * Through which component each component comes into the product, on a shortest path along the document's dependencies: the
 * number of that component, `product` for direct dependencies, null where the document does not say. In the order
 * of `numbers`, the ascending numbers of the SBOM. Linear in components and dependencies.
 */
export function parentNumbers(
  document: SbomDocument,
  rows: readonly ComponentRow[],
  { numbers, numberOf }: Numbering,
): (number | null)[] {
  const root = document.main?.ref ?? null
  if (root === null) return numbers.map(() => null)
  const byReference = new Map<string, number | undefined>()
  for (const row of rows) for (const reference of row.references) byReference.set(reference, numberOf(row))
  const parents = new Map<number, number>()
  // Services are not components and are skipped: their children take over their parent.
  const through = new Map([[root, product]])
  for (const [reference, from] of waysFrom(root, document.dependencies)) {
    const parent = through.get(from) ?? product
    const number = byReference.get(reference)
    through.set(reference, number ?? parent)
    if (number !== undefined && number !== parent && !parents.has(number)) parents.set(number, parent)
  }
  return numbers.map((number) => parents.get(number) ?? null)
}

/** Breadth-first from the root: each node with the one it is first reached from. */
function waysFrom(root: string, dependencies: readonly DependencyEdge[]): Map<string, string> {
  const targets = Map.groupBy(dependencies, ({ from }) => from)
  const reached = new Set([root])
  const ways = new Map<string, string>()
  // The loop also visits nodes added meanwhile, so it proceeds by distance.
  for (const from of reached) {
    for (const { to } of targets.get(from) ?? []) {
      if (!reached.has(to)) ways.set(to, from)
      reached.add(to)
    }
  }
  return ways
}
