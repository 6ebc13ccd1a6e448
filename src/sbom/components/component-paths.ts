import { sql } from 'kysely'
import type { Db } from '../../database/connection.ts'
import { product } from './component-parents.ts'
import type { FamilyKey } from '../../workspace/monitoring/family-key.ts'

export type PathStep = { name: string; version: string | null }

/** Deeper ones are cut at the product's end: nobody reads that far. */
const longestPath = 32

type Slot = FamilyKey & { versionId: string | null }

/**
 * How components come into the active SBOM of a version: the components between the product and each of them, the product's own
 * dependency first; empty for a direct dependency. Components whose path the SBOM does not say are left out.
 */
export async function selectPaths(
  db: Db,
  { workspaceId, familyId, versionId }: Slot,
  numbers: readonly number[],
): Promise<Map<number, PathStep[]>> {
  const { rows } = await sql<{ component_numbers: number[]; parent_numbers: (number | null)[] }>`
    select component_numbers, parent_numbers
    from sbom
    where workspace_id = ${workspaceId} and family_id = ${familyId} and active
      and version_id is not distinct from ${versionId}::uuid`.execute(db)
  const [sbom] = rows
  if (sbom === undefined) return new Map()
  const parents = new Map(
    sbom.component_numbers.map((number, place) => [number, sbom.parent_numbers[place] ?? null]),
  )
  const paths = new Map(numbers.map((number) => [number, pathTo(number, parents)]))
  const names = await selectNames(
    db,
    familyId,
    [...paths.values()].flatMap((path) => path ?? []),
  )
  return new Map(
    [...paths].flatMap(([number, path]) =>
      path === null ? [] : [[number, path.flatMap((step) => names.get(step) ?? [])]],
    ),
  )
}

/** Upwards to the product, then reversed; null where the document does not say. */
function pathTo(number: number, parents: ReadonlyMap<number, number | null>): number[] | null {
  const path: number[] = []
  let parent = parents.get(number) ?? null
  if (parent === null) return null
  while (parent !== null && parent !== product && path.length < longestPath) {
    path.push(parent)
    parent = parents.get(parent) ?? null
  }
  return path.reverse()
}

async function selectNames(
  db: Db,
  familyId: string,
  numbers: readonly number[],
): Promise<Map<number, PathStep>> {
  if (numbers.length === 0) return new Map()
  const rows = await db
    .selectFrom('component')
    .select(['number', 'name', 'version'])
    .where('family_id', '=', familyId)
    .where('number', 'in', [...new Set(numbers)])
    .execute()
  return new Map(rows.map(({ number, name, version }) => [number, { name, version }]))
}
