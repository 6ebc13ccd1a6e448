import { sql, type RawBuilder } from 'kysely'
import type { ComponentUse, ComponentUsePage } from '../contract/inventory.ts'
import { ServiceError } from '../contract/errors.ts'
import type { Db } from '../database/connection.ts'
import { decodeCursor, encodeCursor } from '../platform/cursor.ts'

const pageSize = 100
/** Components looked up in the active SBOMs at a time: what bounds the work of one page. */
const componentsAtATime = 1000
const longestSearch = 200
const mostWords = 8

export type ComponentSearch = {
  workspaceId: string
  /** Words that all occur in the group, name, version or purl, without regard to case. */
  search?: string | undefined
  /** A whole hash, with or without its algorithm. */
  hash?: string | undefined
  cursor?: string | undefined
}

type StoredUse = {
  group: string | null
  name: string
  version: string | null
  purl: string | null
  licence: string | null
  family_id: string
  family: string
  product_version: string | null
  sbom_id: string
  number: number
  findings: number
  sort_name: string
  total: number
}

type Bounds = { found: number; last: [string, string, number] | null }
type StoredRow = Bounds & (StoredUse | { sbom_id: null })

type Position = { name: string; familyId: string; number: number; sbomId: string }
type FoundPage = {
  uses: StoredUse[]
  /** As many components were looked up as may be at a time. */
  isCut: boolean
  last: Position | undefined
}

/**
 * Which active SBOMs have a component, by its name: 100 a page. Of a long list only the beginning is counted. Components that
 * no active SBOM has are left out. Index component_name. Codes: `invalid_request` (cursor).
 */
export async function searchComponents(db: Db, query: ComponentSearch): Promise<ComponentUsePage> {
  const after = query.cursor === undefined ? undefined : readCursor(query.cursor)
  const found = await selectUses(db, query, after?.position)
  const { total, isLowerBound } = after ?? { total: found.uses[0]?.total ?? 0, isLowerBound: found.isCut }
  const next = nextPosition(found)
  return {
    rows: found.uses.slice(0, pageSize).map(toUse),
    nextCursor: next === undefined ? null : writeCursor({ position: next, total, isLowerBound }),
    total,
    isLowerBound,
  }
}

/** After the last use shown, else after the last component looked up; undefined when that was the last one of all. */
function nextPosition({ uses, isCut, last }: FoundPage): Position | undefined {
  const shown = uses[pageSize - 1]
  if (uses.length > pageSize && shown !== undefined) {
    return {
      name: shown.sort_name,
      familyId: shown.family_id,
      number: shown.number,
      sbomId: shown.sbom_id,
    }
  }
  return isCut ? last : undefined
}

async function selectUses(db: Db, query: ComponentSearch, after: Position | undefined): Promise<FoundPage> {
  const { rows } = await sql<StoredRow>`
    with found as materialized (
      select c.family_id, c.number, c.identity_id, c.group_name, c.name, c.version, c.purl, c.licence,
        lower(c.name) collate "C" as sort_name
      from component c
      where c.workspace_id = ${query.workspaceId} and ${matches(query)} and ${isFrom(after)}
      order by lower(c.name) collate "C", c.family_id, c.number
      limit ${componentsAtATime}
    ),
    used as materialized (
      select f.*, y.name as family, s.version_id, p.name as product_version, s.id as sbom_id
      from found f
      join family y on y.id = f.family_id and y.archived_at is null and y.deleted_at is null
      join (
        select a.id, a.family_id, a.version_id, n.number
        from sbom a
        cross join unnest(a.component_numbers) as n (number)
        where a.workspace_id = ${query.workspaceId} and a.active and a.family_id in (select family_id from found)
      ) s on s.family_id = f.family_id and s.number = f.number
      left join product_version p on p.id = s.version_id
      where p.retired_at is null and ${isAfter(after)}
    )
    select u.group_name as "group", u.name, u.version, u.purl, u.licence, u.family_id, u.family, u.product_version,
      u.sbom_id, u.number, u.sort_name, (select count(*) from used) as total,
      (
        select count(*) from finding o
        where o.family_id = u.family_id and o.version_id is not distinct from u.version_id
          and o.identity_id = u.identity_id and o.closed_at is null
      ) as findings,
      bound.found, bound.last
    from (
      select count(*) as found,
        (
          select jsonb_build_array(sort_name, family_id, number) from found
          order by sort_name desc, family_id desc, number desc limit 1
        ) as last
      from found
    ) bound
    left join lateral (
      select * from used order by sort_name, family_id, number, sbom_id limit ${pageSize + 1}
    ) u on true
    order by u.sort_name, u.family_id, u.number, u.sbom_id`.execute(db)
  const [first] = rows
  const last = first?.last ?? null
  return {
    uses: rows.filter(isUse),
    isCut: first?.found === componentsAtATime,
    // sorts after every SBOM of the component
    last:
      last === null ? undefined : { name: last[0], familyId: last[1], number: last[2], sbomId: highestId },
  }
}

const highestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** The bounds come with every row, and alone when nothing is used. */
function isUse(row: StoredRow): row is StoredUse & StoredRow {
  return row.sbom_id !== null
}

function toUse(use: StoredUse): ComponentUse {
  return {
    group: use.group,
    name: use.name,
    version: use.version,
    purl: use.purl,
    licence: use.licence,
    family: { id: use.family_id, name: use.family },
    productVersion: use.product_version,
    sbomId: use.sbom_id,
    number: use.number,
    findings: use.findings,
  }
}

function matches({ search, hash }: ComponentSearch): RawBuilder<boolean> {
  const conditions = wordsOf(search).map((word) => {
    const pattern = `%${word.replace(/[\\%_]/g, '\\$&')}%`
    return sql<boolean>`(c.name ilike ${pattern} or c.version ilike ${pattern} or c.purl ilike ${pattern}
      or c.group_name ilike ${pattern})`
  })
  if (hash !== undefined) {
    const value = hash.trim().slice(0, longestSearch).toLowerCase()
    conditions.push(sql`exists (
      select from unnest(c.hashes) as h (hash)
      where lower(h.hash) = ${value} or split_part(lower(h.hash), ':', 2) = ${value}
    )`)
  }
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(conditions, sql` and `)})`
}

/** The words of a search; a purl is one word. */
function wordsOf(search: string | undefined): string[] {
  const words = search?.slice(0, longestSearch).split(/\s+/) ?? []
  return words.filter((word) => word !== '').slice(0, mostWords)
}

/** The component of the cursor itself may have further SBOMs to show. */
function isFrom(after: Position | undefined): RawBuilder<boolean> {
  if (after === undefined) return sql<boolean>`true`
  return sql<boolean>`(lower(c.name) collate "C", c.family_id, c.number) >= (
    ${after.name}::text collate "C", ${after.familyId}::uuid, ${after.number}::int)`
}

function isAfter(after: Position | undefined): RawBuilder<boolean> {
  if (after === undefined) return sql<boolean>`true`
  return sql<boolean>`(f.sort_name, f.family_id, f.number, s.id) > (
    ${after.name}::text collate "C", ${after.familyId}::uuid, ${after.number}::int, ${after.sbomId}::uuid)`
}

type Cursor = { position: Position; total: number; isLowerBound: boolean }

/** The count of the first page travels along, so that it is taken once. */
function writeCursor({ position, total, isLowerBound }: Cursor): string {
  const { name, familyId, number, sbomId } = position
  return encodeCursor([name, familyId, number, sbomId, total, isLowerBound ? 1 : 0])
}

function readCursor(cursor: string): Cursor {
  const [name, familyId, number, sbomId, total, bound] = decodeCursor(cursor, 6)
  if (typeof name !== 'string' || !isId(familyId) || !isId(sbomId) || !Number.isInteger(number)) {
    throw new ServiceError('invalid_request', { fields: { cursor: 'This is not a cursor of this list.' } })
  }
  return {
    position: { name, familyId, number: Number(number), sbomId },
    total: Number(total),
    isLowerBound: bound === 1,
  }
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)
}
