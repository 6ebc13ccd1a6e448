import { sql, type RawBuilder } from 'kysely'
import type { DependencyPage } from '../../contract/dependencies/shapes.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { Db } from '../../database/connection.ts'
import { askedRows, cutPage, decodeCursor } from '../../platform/cursor.ts'
import { nodeOfNumber, type SbomGraph } from '../../sbom/dependencies/select-graph.ts'
import { targetsOf } from '../../sbom/dependencies/walk.ts'
import { namesOfRow, saysText } from '../../findings/reads/component-spellings.ts'
import { numbersOf, type NamedComponent } from '../../sbom/dependencies/named-components.ts'
import { toDependencyRow } from './dependency-rows.ts'
import { markGraph } from './marked-graph.ts'
import { soughtText } from '../../platform/postgres/like-pattern.ts'

type DependencyQuery = {
  workspaceId: string
  /** The number of the component whose dependencies are listed; undefined: what the tree begins with. */
  of?: number | undefined
  /** Components wherever they are, instead. */
  among?: 'all' | 'unreached' | undefined
  /** As in the list of components; alone it looks through all of them. */
  search?: string | undefined
  cursor?: string | undefined
}

const shape = { list: 'dependencies', kinds: ['text', 'int'] } as const

type Stored = NamedComponent & { sort_name: string; total: number }

/** Rows of the tree by name, 100 a page. Codes: `not_found` (`of`), `invalid_request` (cursor). */
export async function listDependencies(
  db: Db,
  graph: SbomGraph,
  { workspaceId, cursor, ...query }: DependencyQuery,
): Promise<DependencyPage> {
  const search = soughtText(query.search)
  const nodes = nodesAsked(graph, { ...query, search })
  const { rows } = await sql<Stored>`
    with listed as materialized (
      select c.number, c.group_name as "group", c.name, c.version, c.purl, lower(c.name) collate "C" as sort_name
      from component c
      where c.family_id = ${graph.familyId} and c.number = any(${numbersOf(graph, nodes)}) and ${matches(search)}
    )
    select l.*, (select count(*)::int from listed) as total
    from listed l
    where ${follows(cursor)}
    order by sort_name, number
    limit ${askedRows}`.execute(db)
  const { shown, nextCursor } = cutPage(rows, { shape, position: (row) => [row.sort_name, row.number] })
  const marked = await markGraph(db, workspaceId, graph)
  return {
    rows: shown.map((row) => toDependencyRow(marked, row)),
    nextCursor,
    total: rows[0]?.total ?? 0,
  }
}

function nodesAsked(
  { graph, numbers }: SbomGraph,
  { of, among, search }: Pick<DependencyQuery, 'of' | 'among'> & { search: string },
): Int32Array {
  if (among !== undefined || search !== '') {
    const asked = new Int32Array(numbers.length)
    let count = 0
    for (let node = 1; node <= numbers.length; node += 1) {
      if (node === graph.productNode || (among === 'unreached' && graph.steps[node] !== -1)) continue
      asked[count] = node
      count += 1
    }
    return asked.subarray(0, count)
  }
  if (of === undefined) return graph.first
  const node = nodeOfNumber(numbers, of)
  if (node === undefined) throw new ServiceError('not_found')
  return targetsOf(graph, node)
}

function matches(search: string): RawBuilder<boolean> {
  return search === '' ? sql<boolean>`true` : saysText(namesOfRow('c'), search)
}

function follows(cursor: string | undefined): RawBuilder<boolean> {
  if (cursor === undefined) return sql<boolean>`true`
  const [name, number] = decodeCursor(shape, cursor)
  return sql<boolean>`(sort_name, number) > (${name}::text collate "C", ${number}::int)`
}
