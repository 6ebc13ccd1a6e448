import { sql, type RawBuilder } from 'kysely'
import type { DependencyRow, DependencyStep } from '../../contract/dependencies/shapes.ts'
import type { Db } from '../../database/connection.ts'
import { nodeOfNumber, type SbomGraph } from './select-graph.ts'

export type NamedComponent = Pick<DependencyRow, 'number' | 'group' | 'name' | 'version' | 'purl'>

/** The numbers of nodes as a list in SQL. In a loop, as lists of 50 000 nodes block the process several times as long through arrays. */
export function numbersOf(
  { numbers }: Pick<SbomGraph, 'numbers'>,
  nodes: Iterable<number>,
): RawBuilder<unknown> {
  let list = ''
  for (const node of nodes) list += `${list === '' ? '' : ','}${numbers[node - 1] ?? 0}`
  return sql`string_to_array(${list}, ',')::int[]`
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
