import { sql } from 'kysely'
import { prepared } from '../../platform/postgres/prepared.ts'
import { limits } from '../../contract/limits.ts'
import type { Db } from '../../database/connection.ts'
import { parseCpe } from '../../formats/cpe.ts'
import type { CyclonedxReferences, Referenced } from '../../formats/vex/cyclonedx/cyclonedx-references.ts'
import { parsePurl } from '../../formats/purl/purl.ts'
import { columnOf } from '../../platform/postgres/columns.ts'
import type { Originals } from '../../originals/originals.ts'
import type { FamilyKey } from '../../workspace/monitoring/family-key.ts'
import { readStoredReferences } from './find-references.ts'

type UnreadLink = { document_id: string; number: number; place: number; ref: string; sbom_id: string }

type Bounds = {
  maxFileBytes?: number
  maxSboms?: number
  /** Where SBOMs outside the database are read; without it, their links are left for a later job: nobody waits for another store in a transaction. */
  originals?: Originals | undefined
}

/**
 * Finds out what the BOM-Links of documents in force mean in the stored SBOMs of the family that they name (CycloneDX, "BOM-Link"), by
 * reading each such SBOM once more: component rows do not keep references, and hardly any document has links. A statement that
 * finds something to bind to in this way is unbound no longer. Returns how many links were read; running it again reads none.
 *
 * Codes: `too_large` when an SBOM inflates to more than `maxFileBytes`.
 */
export async function readLinks(
  db: Db,
  family: FamilyKey,
  { maxFileBytes = limits.bodyDecompressedBytes, maxSboms = Infinity, originals }: Bounds = {},
): Promise<number> {
  const unread = Map.groupBy(await selectUnread(db, family), ({ sbom_id }) => sbom_id)
  let read = 0
  for (const [sbomId, links] of [...unread].slice(0, maxSboms)) {
    const references = await readReferences(db, { ...family, sbomId, maxFileBytes, originals })
    if (references === null) continue
    await insertLinks(db, family, links, references)
    read += links.length
  }
  if (read > 0) await countBound(db, family)
  return read
}

/** Index vex_target_link. */
async function selectUnread(db: Db, { workspaceId, familyId }: FamilyKey): Promise<UnreadLink[]> {
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
    order by s.id
    ${prepared}`.execute(db)
  return rows
}

type Reading = FamilyKey & { sbomId: string; maxFileBytes: number; originals: Originals | undefined }

async function readReferences(
  db: Db,
  { workspaceId, sbomId, maxFileBytes, originals }: Reading,
): Promise<CyclonedxReferences | null> {
  const {
    raw: bytes,
    object_id: objectId,
    raw_encoding: encoding,
  } = await db
    .selectFrom('sbom')
    .select(['raw', 'object_id', 'raw_encoding'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', sbomId)
    .executeTakeFirstOrThrow()
  const raw = bytes ?? (await originals?.read(db, { workspaceId, bytes, objectId }))
  return raw === undefined ? null : readStoredReferences(raw, encoding, maxFileBytes)
}

async function insertLinks(
  db: Db,
  { workspaceId, familyId }: FamilyKey,
  links: readonly UnreadLink[],
  references: CyclonedxReferences,
): Promise<void> {
  const rows = links.map((link) => ({ ...link, found: readable(references.find(link.ref)) }))
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

/** An identifier that cannot be read names nothing. */
function readable(found: Referenced | undefined): Referenced | undefined {
  if (found === undefined) return undefined
  const { purl, cpe } = found.identifiers
  const identifiers = {
    ...(purl !== undefined && parsePurl(purl) !== undefined && { purl }),
    ...(cpe !== undefined && parseCpe(cpe) !== undefined && { cpe }),
  }
  return { ...found, identifiers }
}

/** The reason why a statement was unbound ends where a link of it names a purl or CPE. */
export async function countBound(db: Db, { workspaceId, familyId }: FamilyKey): Promise<void> {
  await sql`
    with bound as (
      update vex_statement s set unbound_reason = null
      from vex_link l
      where l.family_id = ${familyId} and l.workspace_id = ${workspaceId} and (l.purl is not null or l.cpe is not null)
        and s.document_id = l.document_id and s.number = l.number and s.unbound_reason is not null
      returning s.document_id, s.number
    ),
    counted as (select document_id, count(distinct number) as count from bound group by document_id)
    update vex_document d set unbound_count = d.unbound_count - c.count
    from counted c
    where d.id = c.document_id and d.workspace_id = ${workspaceId}`.execute(db)
}
