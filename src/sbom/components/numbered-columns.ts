import { identityGeneration } from '../../identities/identify.ts'
import type { ReadSbom } from '../../formats/sbom/read-sbom.ts'
import { graphOfRows } from '../dependencies/graph-of-document.ts'
import { encodeGraph } from '../dependencies/stated-graph.ts'
import { ownerNumbers } from './component-owners.ts'
import { parentNumbers } from './component-parents.ts'
import type { ComponentRow } from './component-rows.ts'

/** What the row of an SBOM says by the numbers of its components. */
export function numberedColumns(
  document: ReadSbom,
  rows: readonly ComponentRow[],
  numberOf: ReadonlyMap<string, number>,
) {
  const numbers = [...numberOf.values()].sort((one, other) => one - other)
  const numbering = { numbers, numberOf: (row: ComponentRow) => numberOf.get(row.hash) }
  const { owners, owned } = ownerNumbers(document, rows, numbering.numberOf)
  return {
    component_numbers: numbers,
    parent_numbers: parentNumbers(document, rows, numbering),
    dependency_graph: encodeGraph(graphOfRows(document, rows, numbering)),
    owner_numbers: owners,
    owned_numbers: owned,
    identity_generation: identityGeneration,
  }
}
