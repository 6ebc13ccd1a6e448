import { sql } from 'kysely'
import type { ComponentRow, Page } from '../contract/app.ts'
import { ServiceError } from '../contract/errors.ts'
import type { Db } from '../database/connection.ts'
import { decodeCursor, encodeCursor } from '../platform/cursor.ts'
import { containing } from '../platform/postgres/like-pattern.ts'
import { sourceOfIdentity, stateOfIdentity } from '../vulndata/source-of-identity.ts'
import { isSettled } from './finding-query.ts'

const pageSize = 100

export const componentSorts = ['name', '-name', 'findings'] as const
export type ComponentSort = (typeof componentSorts)[number]

type ComponentQuery = {
  workspaceId: string
  sbomId: string
  /** Part of a name, group, version or purl, without regard to case. */
  search: string | undefined
  sort: ComponentSort
  cursor: string | undefined
}

type StoredComponent = ComponentRow & { sort_name: string; total: string }

/**
 * The components of an SBOM with what could not be decided about them. Served by the primary key of component through the
 * SBOM's list of numbers. Codes: `not_found`, `invalid_request` (cursor).
 */
export async function listComponents(db: Db, query: ComponentQuery): Promise<Page<ComponentRow>> {
  const slot = await selectSlot(db, query)
  const after = query.cursor === undefined ? undefined : decodeCursor(query.cursor, 3)
  const result = await sql<StoredComponent>`
    with listed as (
      select c.number, c.type, c.group_name as "group", c.name, c.version, c.purl, c.cpe, c.licence, c.supplier,
        ${stateOfIdentity} as decidability,
        i.reason, f.findings::int as findings, lower(c.name) collate "C" as sort_name
      from sbom s
      join component c on c.family_id = s.family_id and c.number = any(s.component_numbers)
      left join component_identity i on i.id = c.identity_id
      left join data_source d on d.name = ${sourceOfIdentity}
      cross join lateral (
        select count(*) as findings from finding f
        where f.family_id = ${slot.family_id} and ${ofVersion(slot.version_id)} and f.identity_id = c.identity_id
          and f.closed_at is null and not ${isSettled}
      ) f
      where s.workspace_id = ${query.workspaceId} and s.id = ${query.sbomId}
        and ${matches(query.search)}
    )
    select *, (select count(*) from listed) as total from listed
    where ${follows(query.sort, after)}
    order by ${order(query.sort)} limit ${pageSize + 1}`.execute(db)
  const shown = result.rows.slice(0, pageSize)
  const last = shown.at(-1)
  const hasMore = result.rows.length > pageSize && last !== undefined
  return {
    rows: shown.map(toRow),
    nextCursor: hasMore ? encodeCursor([last.findings, last.sort_name, last.number]) : null,
    total: Number(result.rows[0]?.total ?? 0),
  }
}

function toRow({ sort_name: _name, total: _total, ...row }: StoredComponent): ComponentRow {
  return row
}

type Slot = { family_id: string; version_id: string | null }

async function selectSlot(db: Db, { workspaceId, sbomId }: ComponentQuery): Promise<Slot> {
  const slot = await db
    .selectFrom('sbom')
    .select(['family_id', 'version_id'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', sbomId)
    .executeTakeFirst()
  if (slot === undefined) throw new ServiceError('not_found')
  return slot
}

/** Written as a constant, so that the index finding_subject serves it; `is not distinct from` would read the whole family. */
function ofVersion(versionId: string | null) {
  return versionId === null ? sql`f.version_id is null` : sql`f.version_id = ${versionId}`
}

function matches(search: string | undefined) {
  const text = search?.trim() ?? ''
  if (text === '') return sql`true`
  const pattern = containing(text.slice(0, 200))
  return sql`(c.name ilike ${pattern} or c.group_name ilike ${pattern} or c.version ilike ${pattern} or c.purl ilike ${pattern})`
}

function order(sort: ComponentSort) {
  switch (sort) {
    case 'name':
      return sql`sort_name, number`
    case '-name':
      return sql`sort_name desc, number desc`
    case 'findings':
      return sql`findings desc, sort_name, number`
  }
}

function follows(sort: ComponentSort, after: (string | number | null)[] | undefined) {
  if (after === undefined) return sql`true`
  const [findings, name, number] = after
  switch (sort) {
    case 'name':
      return sql`(sort_name, number) > (${name}::text collate "C", ${number}::int)`
    case '-name':
      return sql`(sort_name, number) < (${name}::text collate "C", ${number}::int)`
    case 'findings':
      return sql`(-findings, sort_name, number) > (-(${findings}::int), ${name}::text collate "C", ${number}::int)`
  }
}
