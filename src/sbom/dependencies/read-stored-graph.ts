import { sql } from 'kysely'
import type { Db } from '../../database/connection.ts'
import { decompress } from '../../formats/decompress/decompress.ts'
import type { SbomComponent } from '../../formats/sbom/document.ts'
import { readSbom } from '../../formats/sbom/read-sbom.ts'
import { componentsOfSbom } from '../components/components-of-sbom.ts'
import { distinctComponents } from '../components/component-rows.ts'
import { graphOfRows } from './graph-of-document.ts'
import { encodeGraph } from './stated-graph.ts'

/** A stored SBOM, and how its file is compressed. */
export type UnreadGraph = { workspaceId: string; sbomId: string; encoding: string }

/**
 * Reads the dependencies of an SBOM that was stored before releases kept them, and stores them. A second run changes nothing.
 * The document was accepted when it came. Codes: `too_large` when the file inflates to more than `maxFileBytes`.
 */
export async function readStoredGraph(
  db: Db,
  { workspaceId, sbomId, encoding }: UnreadGraph,
  raw: Uint8Array,
  { maxFileBytes }: { maxFileBytes: number },
): Promise<null> {
  const document = readSbom(decompress(raw, encoding, 'gzip', maxFileBytes))
  const numbers = await selectNumbersByWords(db, { workspaceId, sbomId })
  const graph = graphOfRows(document, [...distinctComponents(document)], {
    numbers: [...numbers.values()].flat().sort((one, other) => one - other),
    numberOf: ({ component }) => numbers.get(wordsOf(component))?.[0],
  })
  await db
    .updateTable('sbom')
    .set({ dependency_graph: encodeGraph(graph) })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', sbomId)
    .where('dependency_graph', 'is', null)
    .execute()
  return null
}

type Words = Pick<
  SbomComponent,
  'type' | 'group' | 'name' | 'version' | 'purl' | 'cpe' | 'licence' | 'supplier' | 'hashes'
>

/**
 * The numbers of the SBOM's components by their content. Their hashes would not do: a later release computes them
 * differently. Components that differ only in what is not stored share a key, and the first of them gets their links.
 */
async function selectNumbersByWords(
  db: Db,
  { workspaceId, sbomId }: { workspaceId: string; sbomId: string },
): Promise<Map<string, number[]>> {
  const { rows } = await sql<Words & { number: number }>`
    select c.number, c.type, c.group_name as "group", c.name, c.version, c.purl, c.cpe, c.licence, c.supplier, c.hashes
    from sbom s
    cross join ${componentsOfSbom('s')}
    where s.workspace_id = ${workspaceId} and s.id = ${sbomId}
    order by c.number`.execute(db)
  const numbers = new Map<string, number[]>()
  for (const row of rows) {
    const words = wordsOf(row)
    const known = numbers.get(words)
    if (known === undefined) numbers.set(words, [row.number])
    else known.push(row.number)
  }
  return numbers
}

function wordsOf({ type, group, name, version, purl, cpe, licence, supplier, hashes }: Words): string {
  return JSON.stringify([type, group, name, version, purl, cpe, licence, supplier, hashes])
}
