import { sql, type RawBuilder } from 'kysely'
import type { Page } from '../../contract/page.ts'
import type { Originals } from '../../originals/originals.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { VexFormat } from '../../contract/vex/shapes.ts'
import type {
  VexDocumentDetail,
  VexDocumentReference,
  VexDocumentRow,
  VexDocumentState,
} from '../../contract/vex/documents.ts'
import type { Db } from '../../database/connection.ts'
import { askedRows, cutPage, decodeCursor } from '../../platform/cursor.ts'
import type { ContentEncoding } from '../../contract/encodings.ts'
import { senderToldApart } from '../../products/tokens/told-apart.ts'

const shownReplaced = 20

type StoredRow = {
  id: string
  format: VexFormat
  format_label: string
  document_id: string | null
  author: string | null
  document_time: Date | null
  state: VexDocumentState
  every_version: boolean
  version: string | null
  sbom_id: string | null
  source: VexDocumentRow['source']
  sent_by: string
  statement_count: number
  finding_count: number
  unbound_count: number
  received_at: Date
}

/** An SBOM's own document is replaced when another SBOM takes the place of its SBOM. */
const stateOfDocument = sql<VexDocumentState>`case
  when d.withdrawn_at is not null then 'withdrawn'
  when d.replaced_by is not null or (d.sbom_id is not null and not s.active) then 'replaced'
  else 'active'
end`

const documentColumns = sql`d.id, d.format, d.format_label, d.document_id, d.author, d.document_time, ${stateOfDocument} as state,
  d.version_id is null and d.sbom_id is null as every_version, p.name as version, d.sbom_id, d.source,
  ${senderToldApart('d', 'sent_by')} as sent_by,
  d.statement_count, d.finding_count, d.unbound_count, d.received_at`

const documentTables = sql`vex_document d
  left join product_version p on p.family_id = d.family_id and p.id = d.version_id
  left join sbom s on s.id = d.sbom_id`

type DocumentQuery = {
  workspaceId: string
  familyId: string
  state?: VexDocumentState | undefined
  cursor?: string | undefined
}

const cursorShape = { list: 'vex', kinds: ['time', 'uuid'] } as const

/** The VEX documents of a family, those of its SBOMs included, the newest first. Index vex_document_family. Codes: `invalid_request` (cursor). */
export async function listDocuments(db: Db, query: DocumentQuery): Promise<Page<VexDocumentRow>> {
  const isAsked = sql<boolean>`d.workspace_id = ${query.workspaceId} and d.family_id = ${query.familyId}
    and ${query.state === undefined ? sql`true` : sql`${stateOfDocument} = ${query.state}`}`
  const { rows } = await sql<StoredRow>`
    select ${documentColumns} from ${documentTables}
    where ${isAsked} and ${isBefore(query.cursor)}
    order by d.received_at desc, d.id desc
    limit ${askedRows}`.execute(db)
  const counted = await sql<{ total: number }>`
    select count(*) as total from ${documentTables} where ${isAsked}`.execute(db)
  const { shown, nextCursor } = cutPage(rows, {
    shape: cursorShape,
    position: (row) => [row.received_at.toISOString(), row.id],
  })
  return {
    rows: shown.map(toRow),
    nextCursor,
    total: counted.rows[0]?.total ?? 0,
  }
}

function isBefore(cursor: string | undefined): RawBuilder<boolean> {
  if (cursor === undefined) return sql<boolean>`true`
  const [receivedAt, id] = decodeCursor(cursorShape, cursor)
  return sql<boolean>`(d.received_at, d.id::text) < (${receivedAt}::timestamptz, ${id}::text)`
}

function toRow(row: StoredRow): VexDocumentRow {
  return {
    id: row.id,
    format: row.format,
    formatLabel: row.format_label,
    documentId: row.document_id,
    author: row.author,
    documentTime: row.document_time?.toISOString() ?? null,
    state: row.state,
    everyVersion: row.every_version,
    version: row.version,
    sbomId: row.sbom_id,
    source: row.source,
    sentBy: row.sent_by,
    statements: row.statement_count,
    findings: row.finding_count,
    unbound: row.unbound_count,
    receivedAt: row.received_at.toISOString(),
  }
}

type StoredDetail = StoredRow & {
  family_id: string
  family_name: string
  archived_at: Date | null
  hints: string[]
  size_bytes: number
  sha256: Buffer
  replaced_by: string | null
  withdrawn_at: Date | null
  withdrawn_by_name: string | null
  decides: number
}

/** One VEX document of a workspace. Codes: `not_found`. */
export async function selectDocument(
  db: Db,
  workspaceId: string,
  documentId: string,
): Promise<VexDocumentDetail> {
  const { rows } = await sql<StoredDetail>`
    select ${documentColumns}, d.family_id, f.name as family_name, f.archived_at, d.hints, d.size_bytes, d.sha256,
      d.replaced_by, d.withdrawn_at, w.name as withdrawn_by_name,
      (select count(*) from finding where verdict_document_id = d.id and closed_at is null) as decides
    from ${documentTables}
    join family f on f.id = d.family_id and f.deleted_at is null
    left join person w on w.id = d.withdrawn_by
    where d.workspace_id = ${workspaceId} and d.id = ${documentId}`.execute(db)
  const [row] = rows
  if (row === undefined) throw new ServiceError('not_found')
  const [replacedBy] =
    row.replaced_by === null ? [] : await selectReferences(db, sql`id = ${row.replaced_by}`)
  return {
    ...toRow(row),
    family: { id: row.family_id, name: row.family_name, archivedAt: row.archived_at?.toISOString() ?? null },
    hints: row.hints,
    sizeBytes: row.size_bytes,
    sha256: row.sha256.toString('hex'),
    replacedBy: replacedBy ?? null,
    replaces: await selectReferences(db, sql`replaced_by = ${row.id}`),
    withdrawnAt: row.withdrawn_at?.toISOString() ?? null,
    withdrawnBy: row.withdrawn_by_name,
    decides: row.decides,
  }
}

/** Index vex_document_replaced. */
async function selectReferences(db: Db, isAsked: RawBuilder<unknown>): Promise<VexDocumentReference[]> {
  const { rows } = await sql<{ id: string; format_label: string; received_at: Date }>`
    select id, format_label, received_at from vex_document
    where ${isAsked}
    order by received_at desc, id desc
    limit ${shownReplaced}`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    formatLabel: row.format_label,
    receivedAt: row.received_at.toISOString(),
  }))
}

export type OriginalFile = { raw: Buffer; encoding: ContentEncoding }
type StoredFile = { bytes: Buffer | null; objectId: string | null; encoding: ContentEncoding }

/** The file as it was sent; of an SBOM's own document, the SBOM. Codes: `not_found`, `not_configured` (it cannot be read now). */
export async function selectOriginalDocument(
  { db, originals }: { db: Db; originals: Originals },
  workspaceId: string,
  documentId: string,
): Promise<OriginalFile> {
  const { rows } = await sql<StoredFile>`
    select coalesce(d.raw, s.raw) as bytes, coalesce(d.object_id, s.object_id) as "objectId",
      coalesce(d.raw_encoding, s.raw_encoding) as encoding
    from vex_document d
    left join sbom s on s.id = d.sbom_id
    where d.workspace_id = ${workspaceId} and d.id = ${documentId}`.execute(db)
  const [file] = rows
  if (file === undefined) throw new ServiceError('not_found')
  const { encoding, ...named } = file
  return { raw: await originals.read(db, { workspaceId, ...named }), encoding }
}
