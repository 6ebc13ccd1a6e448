import { sql, type RawBuilder } from 'kysely'
import type { Page } from '../../contract/page.ts'
import type { VexFormat } from '../../contract/vex/shapes.ts'
import type { ReportedFindingRow } from '../../contract/vex/documents.ts'
import type { Db } from '../../database/connection.ts'
import { parsePurl } from '../../formats/purl/purl.ts'
import { askedRows, cutPage, decodeCursor } from '../../platform/cursor.ts'
import { isName, lookedUp, statedNamesOfGroups } from '../../findings/verdicts/names-of-group.ts'
import { isVersion } from '../../findings/version-slot.ts'

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
 * What scanners report in documents in force and our own matching has not found in any version that the document applies to: neither
 * the vulnerability on the named component nor, where none is named, the vulnerability at all. The newest documents first, in their
 * order, 100 a page. Codes: `invalid_request` (cursor).
 */
export async function listReported(db: Db, query: ReportedQuery): Promise<Page<ReportedFindingRow>> {
  const { workspaceId, familyId } = query
  const { rows } = await sql<StoredReport>`
    with document as materialized (
      select d.id, d.version_id, d.sbom_id,
        case when d.version_id is null and d.sbom_id is null then '*' else coalesce(d.version_id::text, '') end as scope, d.format, d.author, d.source, d.received_at, p.name as version
      from vex_document d
      left join product_version p on p.family_id = d.family_id and p.id = d.version_id
      left join sbom s on s.id = d.sbom_id
      where d.workspace_id = ${workspaceId} and d.family_id = ${familyId} and d.finding_count > 0
        and d.replaced_by is null and d.withdrawn_at is null and s.active is not false and ${isOfVersion(query)}
    ),
    ${foundNames(query)},
    ${statedNamesOfGroups(sql`select distinct group_id from found_name`)},
    ${knownEntries(familyId)},
    reported as materialized (
      select d.*, r.number, r.vulnerability_ids, r.product_label
      from document d
      join vex_statement r on r.document_id = d.id and r.kind = 'finding'
      -- looked up in a hash, whatever the sizes seem to be
      where (r.document_id, r.number) not in (select document_id, number from known)
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
    limit ${askedRows}`.execute(db)
  const { shown, nextCursor } = cutPage(rows, {
    shape: cursorShape,
    position: (row) => [row.received_at.toISOString(), row.document_id, row.number],
  })
  return {
    rows: shown.map(toRow),
    nextCursor,
    total: rows[0]?.total ?? 0,
  }
}

function isOfVersion({ versionId }: ReportedQuery): RawBuilder<boolean> {
  if (versionId === undefined) return sql<boolean>`true`
  return sql<boolean>`(${isVersion('d.version_id', versionId)} or (d.version_id is null and d.sbom_id is null))`
}

/** A purl without qualifiers and subpath; tools that name one component differ in these, and in what they encode. */
function comparedPurl(column: string): RawBuilder<string> {
  const plain = sql`lower(split_part(split_part(${sql.ref(column)}, '#', 1), '?', 1))`
  return sql<string>`replace(replace(replace(${plain}, '%40', '@'), '%2b', '+'), '%3a', ':')`
}

/**
 * What the family's findings may be called in entries: the purl of a component with and without its version, which may be given beside it, and ''
 * for whatever has the vulnerability; in the scope of its version and in that of every version. The common table expression
 * `found_name (group_id, scope, name)`.
 */
function foundNames({ workspaceId, familyId }: ReportedQuery): RawBuilder<unknown> {
  return sql`
    found_purl as (
      select distinct f.group_id, f.version_id, ${comparedPurl('n.name')} as purl, lower(c.version) as version
      from finding f
      join component c on c.family_id = f.family_id and c.identity_id = f.identity_id
      left join lateral unnest(array_prepend(c.purl, c.other_names)) as n (name) on n.name ilike 'pkg:%'
      where f.workspace_id = ${workspaceId} and f.family_id = ${familyId} and f.closed_at is null
    ),
    found_name as materialized (
      select distinct f.group_id, s.scope, n.name
      from found_purl f
      cross join unnest(array[
        f.purl, regexp_replace(f.purl, '@[^@/]*$', ''), '', case when f.purl !~ '@[^@/]*$' then f.purl || '@' || f.version end
      ]) as n (name)
      cross join unnest(array[coalesce(f.version_id::text, ''), '*']) as s (scope)
      where n.name is not null
    )`
}

/**
 * The entries of `document` that our own matching has found as well, by `found_name` and `group_name`. A document and a family may
 * both have tens of thousands on one vulnerability, so names are looked up in a hash; `is true` keeps the server from making a join of
 * it, which it would do row by row where it thinks the sides small. An entry that names the product, or no component by purl, means
 * whatever has the vulnerability. The common table expression `known (document_id, number)`.
 */
function knownEntries(familyId: string): RawBuilder<unknown> {
  return sql`
    claimed as materialized (
      select distinct k.document_id, k.number, n.group_id
      from group_name n
      join vex_claim k on k.family_id = ${familyId} and k.vulnerability_id = n.id
    ),
    named as materialized (
      select k.document_id, k.number, k.group_id, ${comparedPurl('t.purl')} as name
      from claimed k
      join vex_target t on t.document_id = k.document_id and t.number = k.number
      where t.purl is not null and t.kind <> 'product'
      union
      select k.document_id, k.number, k.group_id, ''
      from claimed k
      where not exists (
        select from vex_target t
        where t.document_id = k.document_id and t.number = k.number and t.purl is not null
      ) or exists (
        select from vex_target t
        where t.document_id = k.document_id and t.number = k.number and t.kind = 'product'
      )
    ),
    known as materialized (
      select distinct e.document_id, e.number
      from named e
      join document d on d.id = e.document_id
      where ((e.group_id, d.scope, e.name) in (select group_id, scope, name from found_name)) is true
    )`
}

/** Our name for the vulnerability of an entry `r`, by its own ids before those upstream. */
const titleOfEntry = sql<string | null>`(
  select g.title_id
  from vex_claim k
  join alias_assertion a on a.other_id = ${lookedUp('k.vulnerability_id')} and ${isName('a')}
  join vulnerability v on v.id = a.vulnerability_id
  join vulnerability_group g on g.id = v.group_id
  where k.document_id = r.id and k.number = r.number
  order by a.relation desc, g.id limit 1
)`

const cursorShape = { list: 'reported', kinds: ['time', 'uuid', 'int'] } as const

function followsCursor(cursor: string | undefined): RawBuilder<boolean> {
  if (cursor === undefined) return sql<boolean>`true`
  const [receivedAt, id, number] = decodeCursor(cursorShape, cursor)
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
