import {
  dependencyLimits,
  type DependencyPaths,
  type DependencyTree,
} from '../../contract/dependencies/shapes.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { Db } from '../../database/connection.ts'
import { nodeOfNumber, type SbomGraph } from '../../sbom/dependencies/select-graph.ts'
import { firstNodesAbove, shortestPaths } from '../../sbom/dependencies/shortest-paths.ts'
import { selectNamed, toStep } from '../../sbom/dependencies/named-components.ts'
import { dependentsOf, toDependencyRow } from './dependency-rows.ts'
import { markGraph, selectMarks } from './marked-graph.ts'

/** How much of an SBOM its tree contains. */
export async function describeTree(db: Db, workspaceId: string, sbom: SbomGraph): Promise<DependencyTree> {
  const { graph, numbers, product, linksLeftOut } = sbom
  const marks = await selectMarks(db, workspaceId, sbom)
  const isUnreached = (node: number) => graph.steps[node] === -1 && node !== graph.productNode
  const unreached = Array.from(numbers.keys(), (at) => at + 1).filter(isUnreached)
  const components = graph.nodes - (graph.productNode === 0 ? 0 : 1)
  return {
    start: graph.start,
    product,
    components,
    links: graph.targets.length,
    linksLeftOut,
    first: graph.first.length,
    reached: components - unreached.length,
    unreached: unreached.length,
    unreachedWithFindings: unreached.filter((node) => marks.has(node)).length,
  }
}

/** Why a component is in the product. Codes: `invalid_request` without a number, `not_found` when the SBOM has none of it. */
export async function explainDependency(
  db: Db,
  sbom: SbomGraph,
  { workspaceId, number }: { workspaceId: string; number: number | undefined },
): Promise<DependencyPaths> {
  if (number === undefined)
    throw new ServiceError('invalid_request', { fields: { component: 'This field is required.' } })
  const node = nodeOfNumber(sbom.numbers, number)
  if (node === undefined) throw new ServiceError('not_found')
  const paths = shortestPaths(sbom.graph, node, dependencyLimits.paths)
  const through = firstNodesAbove(sbom.graph, node)
  const shown = through.slice(0, dependencyLimits.through)
  const named = await selectNamed(db, sbom, [node, ...paths.flat(), ...shown])
  const component = named.get(node)
  if (component === undefined) throw new ServiceError('not_found')
  const stepsOf = (nodes: readonly number[]) => nodes.flatMap((at) => named.get(at) ?? []).map(toStep)
  return {
    component: toDependencyRow(await markGraph(db, workspaceId, sbom), component),
    paths: paths.map(stepsOf),
    through: { total: through.length, rows: stepsOf(shown) },
    dependents: dependentsOf(sbom, node),
  }
}
