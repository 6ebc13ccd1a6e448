import type { DependencyRow } from '../../contract/dependencies/shapes.ts'
import { nodeOfNumber, type SbomGraph } from '../../sbom/dependencies/select-graph.ts'
import type { NamedComponent } from '../../sbom/dependencies/named-components.ts'
import { sourcesOf, targetsOf } from '../../sbom/dependencies/walk.ts'
import { severityOf, type MarkedGraph } from './marked-graph.ts'

/** A component with where it is and what was found on it and below it. */
export function toDependencyRow(marked: MarkedGraph, component: NamedComponent): DependencyRow {
  const { number, group, name, version, purl } = component
  const node = nodeOfNumber(marked.numbers, number) ?? 0
  const steps = marked.graph.steps[node] ?? -1
  const mark = marked.marks.get(node)
  return {
    number,
    group,
    name,
    version,
    purl,
    dependencies: targetsOf(marked.graph, node).length,
    steps: steps < 1 ? null : steps,
    findings: mark?.findings ?? 0,
    severity: mark?.severity ?? null,
    isExploited: mark?.isExploited ?? false,
    severityBelow: severityOf(marked.worstBelow[node]),
  }
}

/** How many components depend on one; the product is none of them. */
export function dependentsOf({ graph }: SbomGraph, node: number): number {
  return sourcesOf(graph, node).filter((source) => source !== 0).length
}
