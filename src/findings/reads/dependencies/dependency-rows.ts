import { sql, type RawBuilder } from 'kysely'
import type { DependencyRow, DependencyStep } from '../../../contract/dependencies/shapes.ts'
import type { Db } from '../../../database/connection.ts'
import { nodeOfNumber, type SbomGraph } from '../../../sbom/dependencies/select-graph.ts'
import { sourcesOf, targetsOf } from '../../../sbom/dependencies/walk.ts'
import { severityOf, type MarkedGraph } from './marked-graph.ts'

export type NamedComponent = Pick<DependencyRow, 'number' | 'group' | 'name' | 'version' | 'purl'>

/** The numbers of nodes as a list in SQL. */
export function numbersOf(
  { numbers }: Pick<SbomGraph, 'numbers'>,
  nodes: Iterable<number>,
): RawBuilder<unknown> {
  const list = Array.from(nodes, (node) => numbers[node - 1] ?? 0)
  return sql`string_to_array(${list.join(',')}, ',')::int[]`
}

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

/** What components are called, by their nodes. */
export async function selectNamed(
  db: Db,
  graph: SbomGraph,
  nodes: Iterable<number>,
): Promise<Map<number, NamedComponent>> {
  const { rows } = await sql<NamedComponent>`
    select number, group_name as "group", name, version, purl
    from component
    where family_id = ${graph.familyId} and number = any(${numbersOf(graph, new Set(nodes))})`.execute(db)
  return new Map(rows.map((row) => [nodeOfNumber(graph.numbers, row.number) ?? 0, row]))
}

export function toStep({ number, name, version }: NamedComponent): DependencyStep {
  return { number, name, version }
}
