import { sql } from 'kysely'
import { limits } from '../contract/limits.ts'
import type { Db } from '../database/connection.ts'
import { decompress } from '../formats/decompress/decompress.ts'
import { JsonObject } from '../formats/json/object.ts'
import { parseJson } from '../formats/json/parse.ts'
import { CyclonedxReferences } from '../formats/vex/cyclonedx-references.ts'
import { VexHints } from '../formats/vex/hints.ts'
import { columnOf } from '../platform/postgres/columns.ts'

type Family = { workspaceId: string; familyId: string }

type UnreadLink = { document_id: string; number: number; place: number; ref: string; sbom_id: string }

/**
 * Finds out what the BOM-Links of documents in force mean in the stored SBOMs of the family that they name (CycloneDX, "BOM-Link"), by
 * reading each such SBOM once more: component rows do not keep references, and hardly any document has links. Answers how many
 * links were read; running it again reads none.
 */
export async function readLinks(db: Db, family: Family): Promise<number> {
  const unread = Map.groupBy(await selectUnread(db, family), ({ sbom_id }) => sbom_id)
  let read = 0
  for (const [sbomId, links] of unread) {
    const references = await readReferences(db, family, sbomId)
    await insertLinks(db, family, links, references)
    read += links.length
  }
  return read
}

/** Index vex_target_link. */
async function selectUnread(db: Db, { workspaceId, familyId }: Family): Promise<UnreadLink[]> {
  const { rows } = await sql<UnreadLink>`
    with link as materialized (
      select t.document_id, t.number, t.place, t.bom_link ->> 'ref' as ref,
        'urn:cdx:' || (t.bom_link ->> 'serialNumber') || '/' || (t.bom_link ->> 'version') as bom
      from vex_target t
      join vex_document d on d.id = t.document_id and d.replaced_by is null and d.withdrawn_at is null
      where t.family_id = ${familyId} and t.kind = 'bom_link' and d.workspace_id = ${workspaceId}
    )
    select k.document_id, k.number, k.place, k.ref, s.id as sbom_id
    from link k
    join sbom s on s.workspace_id = ${workspaceId} and s.family_id = ${familyId} and s.format = 'cyclonedx'
      and s.document_id = k.bom
    where not exists (
      select from vex_link l
      where l.document_id = k.document_id and l.number = k.number and l.place = k.place and l.sbom_id = s.id
    )
    order by s.id`.execute(db)
  return rows
}

/** The document was read and accepted when it came, so what it is like holds for it still. */
async function readReferences(db: Db, { workspaceId }: Family, sbomId: string): Promise<CyclonedxReferences> {
  const { raw, raw_encoding: encoding } = await db
    .selectFrom('sbom')
    .select(['raw', 'raw_encoding'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', sbomId)
    .executeTakeFirstOrThrow()
  const file = decompress(raw, encoding, 'gzip', limits.bodyDecompressedBytes)
  const document = JsonObject.root(parseJson(file, 'sbom'), 'invalid_sbom')
  if (document === undefined) throw new Error(`SBOM ${sbomId} is no JSON object`)
  return new CyclonedxReferences(document, new VexHints())
}

async function insertLinks(
  db: Db,
  { workspaceId, familyId }: Family,
  links: readonly UnreadLink[],
  references: CyclonedxReferences,
): Promise<void> {
  const rows = links.map((link) => ({ ...link, found: references.find(link.ref) }))
  await sql`
    insert into vex_link (workspace_id, family_id, document_id, number, place, sbom_id, is_product, purl, cpe)
    select ${workspaceId}::uuid, ${familyId}::uuid, document_id, number, place, sbom_id, is_product = 1, purl, cpe
    from unnest(
      ${columnOf(rows, 'uuid', (row) => row.document_id)},
      ${columnOf(rows, 'int', (row) => row.number)},
      ${columnOf(rows, 'int', (row) => row.place)},
      ${columnOf(rows, 'uuid', (row) => row.sbom_id)},
      ${columnOf(rows, 'int', (row) => Number(row.found?.kind === 'product'))},
      ${columnOf(rows, 'text', (row) => row.found?.identifiers.purl ?? null)},
      ${columnOf(rows, 'text', (row) => row.found?.identifiers.cpe ?? null)}
    ) as given (document_id, number, place, sbom_id, is_product, purl, cpe)
    on conflict do nothing`.execute(db)
}
