import { sql, type RawBuilder } from 'kysely'
import type { Page } from '../contract/app.ts'
import type { VexFormat } from '../contract/vex.ts'
import type { ReportedFindingRow } from '../contract/vex-documents.ts'
import type { Db } from '../database/connection.ts'
import { parsePurl } from '../formats/purl/purl.ts'
import { decodeCursor, encodeCursor } from '../platform/cursor.ts'
import { isName } from './names-of-group.ts'
import { isVersion } from './version-slot.ts'

const pageSize = 100

export type ReportedQuery = {
  workspaceId: string
  familyId: string
  /** null: the slot without version; absent: all versions. */
  versionId?: string | null | undefined
  cursor?: string | undefined
}

type StoredReport = {
  document_id: string
  number: number
  format: VexFormat
  author: string | null
  source: ReportedFindingRow['source']
  sbom_id: string | null
  vulnerability_ids: string[]
  product_label: string
  every_version: boolean
  version: string | null
  received_at: Date
  title: string | null
  purl: string | null
  total: number
}

/**
 * What scanners report in documents in force, and our own matching has found in no version that the document holds for: neither the
 * vulnerability on the component that is named, nor, where no component is, the vulnerability at all. The newest documents first, in
 * their order, 100 a page. Codes: `invalid_request` (cursor).
 */
export async function listReported(db: Db, query: ReportedQuery): Promise<Page<ReportedFindingRow>> {
  const { workspaceId, familyId } = query
  const { rows } = await sql<StoredReport>`
    with document as materialized (
      select d.id, d.version_id, d.sbom_id, d.format, d.author, d.source, d.received_at, p.name as version
      from vex_document d
      left join product_version p on p.family_id = d.family_id and p.id = d.version_id
      left join sbom s on s.id = d.sbom_id
      where d.workspace_id = ${workspaceId} and d.family_id = ${familyId} and d.finding_count > 0
        and d.replaced_by is null and d.withdrawn_at is null and s.active is not false and ${isOfVersion(query)}
    ),
    found as materialized (
      select distinct f.group_id, f.version_id, ${comparedPurl('c.purl')} as purl
      from finding f
      join component c on c.family_id = f.family_id and c.identity_id = f.identity_id
      where f.workspace_id = ${workspaceId} and f.family_id = ${familyId} and f.closed_at is null
    ),
    reported as materialized (
      select d.*, r.number, r.vulnerability_ids, r.product_label
      from document d
      join vex_statement r on r.document_id = d.id and r.kind = 'finding'
      where not exists (
        select
        from vex_claim k
        join alias_assertion a on a.other_id = k.vulnerability_id and ${isName}
        join vulnerability v on v.id = a.vulnerability_id
        join found f on f.group_id = v.group_id
        where k.document_id = d.id and k.number = r.number
          and (f.version_id is not distinct from d.version_id or (d.version_id is null and d.sbom_id is null))
          and ${isNamed}
      )
    )
    select r.id as document_id, r.number, r.format, r.author, r.source, r.sbom_id, r.version,
      r.version_id is null and r.sbom_id is null as every_version, r.vulnerability_ids, r.product_label,
      r.received_at, (select count(*) from reported) as total,
      (
        select t.purl from vex_target t
        where t.document_id = r.id and t.number = r.number and t.purl is not null order by t.place limit 1
      ) as purl,
      ${titleOfEntry} as title
    from reported r
    where ${followsCursor(query.cursor)}
    order by r.received_at desc, r.id desc, r.number
    limit ${pageSize + 1}`.execute(db)
  const shown = rows.slice(0, pageSize)
  const last = shown.at(-1)
  const hasMore = rows.length > pageSize && last !== undefined
  return {
    rows: shown.map(toRow),
    nextCursor: hasMore
      ? encodeCursor([last.received_at.toISOString(), last.document_id, last.number])
      : null,
    total: rows[0]?.total ?? 0,
  }
}

function isOfVersion({ versionId }: ReportedQuery): RawBuilder<boolean> {
  if (versionId === undefined) return sql<boolean>`true`
  return sql<boolean>`(${isVersion('d.version_id', versionId)} or (d.version_id is null and d.sbom_id is null))`
}

/** A purl without qualifiers and subpath; tools that name one component differ in these. */
function comparedPurl(column: string): RawBuilder<string> {
  return sql<string>`replace(lower(split_part(split_part(${sql.ref(column)}, '#', 1), '?', 1)), '%40', '@')`
}

/** Whether an entry `r` of a document `d` names a component of `f`; one that names none by purl means any. */
const isNamed = sql<boolean>`(
  not exists (select from vex_target t where t.document_id = d.id and t.number = r.number and t.purl is not null)
  or exists (
    select from vex_target t
    where t.document_id = d.id and t.number = r.number and (
      t.kind = 'product' or ${comparedPurl('t.purl')} = f.purl or starts_with(f.purl, ${comparedPurl('t.purl')} || '@')
    )
  )
)`

/** Our name for the vulnerability of an entry `r`, by its own ids before those upstream. */
const titleOfEntry = sql<string | null>`(
  select g.title_id
  from vex_claim k
  join alias_assertion a on a.other_id = k.vulnerability_id and ${isName}
  join vulnerability v on v.id = a.vulnerability_id
  join vulnerability_group g on g.id = v.group_id
  where k.document_id = r.id and k.number = r.number
  order by a.relation desc, g.id limit 1
)`

function followsCursor(cursor: string | undefined): RawBuilder<boolean> {
  if (cursor === undefined) return sql<boolean>`true`
  const [receivedAt, id, number] = decodeCursor(cursor, 3)
  return sql<boolean>`(r.received_at < ${receivedAt}::timestamptz
    or (r.received_at = ${receivedAt}::timestamptz and r.id::text < ${id}::text)
    or (r.received_at = ${receivedAt}::timestamptz and r.id::text = ${id}::text and r.number > ${number}::int))`
}

function toRow(row: StoredReport): ReportedFindingRow {
  return {
    documentId: row.document_id,
    number: row.number,
    format: row.format,
    author: row.author,
    source: row.source,
    sbomId: row.sbom_id,
    everyVersion: row.every_version,
    version: row.version,
    vulnerabilityIds: row.vulnerability_ids,
    title: row.title,
    productLabel: row.product_label,
    component: componentOf(row.purl),
    receivedAt: row.received_at.toISOString(),
  }
}

function componentOf(text: string | null): ReportedFindingRow['component'] {
  const purl = text === null ? undefined : parsePurl(text)
  if (purl === undefined) return null
  const { namespace, name, version } = purl
  return { name: namespace === null ? name : `${namespace}/${name}`, version, purl: text }
}
