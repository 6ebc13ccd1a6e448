import { sql } from 'kysely'
import { ServiceError } from '../../contract/errors.ts'
import type { Db } from '../../database/connection.ts'
import { decodeGraph } from './stated-graph.ts'
import type { KnownGraph, KnownGraphs } from './known-graphs.ts'
import { walkGraph } from './walk.ts'

export type SbomGraph = KnownGraph & {
  familyId: string
  versionId: string | null
  product: { name: string; version: string | null } | null
  /** Links of the document beyond those that are kept. */
  linksLeftOut: number
}

type Row = {
  family_id: string
  version_id: string | null
  /** Null where they are known, too. */
  numbers: string | null
  dependency_graph: Buffer | null
  product: { name: string; version: string | null } | null
  left_out: number
}

/** The dependencies of an SBOM, ready to be walked; null: they have not been read from its file yet. Codes: `not_found`. */
export async function selectGraph(
  { db, graphs }: { db: Db; graphs: KnownGraphs },
  { workspaceId, sbomId }: { workspaceId: string; sbomId: string },
): Promise<SbomGraph | null> {
  const knownBefore = graphs.get(sbomId)
  const stored =
    knownBefore === undefined
      ? sql`array_to_string(s.component_numbers, ',') as numbers, s.dependency_graph`
      : sql`null as numbers, null as dependency_graph`
  const { rows } = await sql<Row>`
    select s.family_id, s.version_id, ${stored},
      case when s.main_component->>'name' <> '' then
        jsonb_build_object('name', s.main_component->>'name', 'version', s.main_component->>'version') end as product,
      coalesce((
        select (h->>'count')::int from jsonb_array_elements(s.hints) h where h->>'code' = 'dependencies_cut'
      ), 0) as left_out
    from sbom s
    where s.workspace_id = ${workspaceId} and s.id = ${sbomId}`.execute(db)
  const [row] = rows
  if (row === undefined) throw new ServiceError('not_found')
  // A concurrent request may have read it first.
  const known = knownBefore ?? graphs.get(sbomId) ?? readGraph(row)
  if (known === null) return null
  if (graphs.get(sbomId) === undefined) graphs.keep(sbomId, known)
  return {
    ...known,
    familyId: row.family_id,
    versionId: row.version_id,
    product: row.product,
    linksLeftOut: row.left_out,
  }
}

function readGraph({ numbers, dependency_graph: stored }: Row): KnownGraph | null {
  if (stored === null || numbers === null) return null
  return {
    graph: walkGraph(decodeGraph(stored)),
    numbers: numbers === '' ? new Int32Array() : Int32Array.from(numbers.split(','), Number),
  }
}

/** The node of a component, by binary search; undefined: the SBOM has no component with this number. */
export function nodeOfNumber(numbers: Int32Array, number: number): number | undefined {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((numbers[middle] ?? 0) < number) low = middle + 1
    else high = middle
  }
  return numbers[low] === number ? low + 1 : undefined
}
