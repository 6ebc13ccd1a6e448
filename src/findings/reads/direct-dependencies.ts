import { sql, type RawBuilder } from 'kysely'
import { ServiceError } from '../../contract/errors.ts'
import type { DependencyStep } from '../../contract/dependencies/shapes.ts'
import type { Db } from '../../database/connection.ts'
import { nodeOfNumber, type SbomGraph } from '../../sbom/dependencies/select-graph.ts'
import { nodesFrom } from '../../sbom/dependencies/walk.ts'
import { numbersOf, selectNamed, toStep } from '../../sbom/dependencies/named-components.ts'

/** The known dependencies of an SBOM whose findings are listed, and the component whose subtree is meant. */
export type AskedDependencies = {
  /** Null: they have not been read yet, so that no finding says what it comes in through. */
  graph: SbomGraph | null
  through: number | undefined
}

const nothingAsked: AskedDependencies = { graph: null, through: undefined }

/** By the number of a component: the direct dependency that it comes in through; null where the document does not say. */
export type DirectDependencies = (number: number) => DependencyStep | null

/** The direct dependencies of components of an SBOM, on a shortest way each. */
export async function selectDirect(
  db: Db,
  graph: SbomGraph | null,
  componentNumbers: readonly number[],
): Promise<DirectDependencies> {
  if (graph === null || componentNumbers.length === 0) return () => null
  const directOf = (number: number) => graph.graph.nearest[nodeOfNumber(graph.numbers, number) ?? 0] ?? 0
  const named = await selectNamed(
    db,
    graph,
    componentNumbers.map(directOf).filter((node) => node !== 0),
  )
  return (number) => {
    const direct = named.get(directOf(number))
    return direct === undefined ? null : toStep(direct)
  }
}

/** On a finding `f`: it is on the component, or on what it brings in. Codes: `not_found` when the SBOM has none of this number. */
export function comesThrough({ graph, through }: AskedDependencies = nothingAsked): RawBuilder<boolean> {
  if (through === undefined) return sql<boolean>`true`
  const node = graph === null ? undefined : nodeOfNumber(graph.numbers, through)
  if (graph === null || node === undefined) throw new ServiceError('not_found')
  return sql<boolean>`f.identity_id in (
    select identity_id from component
    where family_id = ${graph.familyId} and number = any(${numbersOf(graph, nodesFrom(graph.graph, node))})
  )`
}

/** The component that `through` means. */
export async function selectThrough(
  db: Db,
  { graph, through }: AskedDependencies = nothingAsked,
): Promise<DependencyStep | null> {
  const node = graph === null || through === undefined ? undefined : nodeOfNumber(graph.numbers, through)
  if (graph === null || node === undefined) return null
  const named = (await selectNamed(db, graph, [node])).get(node)
  return named === undefined ? null : toStep(named)
}
