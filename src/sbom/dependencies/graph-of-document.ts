import type { SbomDocument } from '../../formats/sbom/document.ts'
import type { Numbering } from '../components/component-parents.ts'
import type { ComponentRow } from '../components/component-rows.ts'
import { graphOf, linkOf, type StatedGraph } from './stated-graph.ts'

/**
 * What a document states about who depends on whom. Entries that say the same are one component, so that links between them and repeated
 * ones disappear. Linear in components and links, but for sorting the links.
 */
export function graphOfRows(
  document: SbomDocument,
  rows: readonly ComponentRow[],
  { numbers, numberOf }: Numbering,
): StatedGraph {
  const places = new Map<number, number>()
  for (const [at, number] of numbers.entries()) places.set(number, at + 1)
  const nodes = new Map<string, number>()
  for (const row of rows) {
    const place = places.get(numberOf(row) ?? 0)
    if (place !== undefined) for (const reference of row.references) nodes.set(reference, place)
  }
  const root = document.main?.ref ?? null
  // In SPDX the product is one of the packages, and a CycloneDX document may repeat it among its components.
  const productNode = root === null ? 0 : (nodes.get(root) ?? 0)
  if (root !== null) nodes.set(root, 0)
  return graphOf(numbers.length, productNode, linksBetween(document, nodes))
}

function linksBetween({ dependencies }: SbomDocument, nodes: ReadonlyMap<string, number>): Float64Array {
  const links = new Float64Array(dependencies.length)
  let kept = 0
  for (const { from, to } of dependencies) {
    const source = nodes.get(from)
    const target = nodes.get(to)
    // A path back to the product explains nothing: every path begins there.
    if (source === undefined || target === undefined || target === 0 || source === target) continue
    links[kept++] = linkOf(source, target)
  }
  return links.subarray(0, kept)
}
