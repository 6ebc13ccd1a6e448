import { sql, type RawBuilder } from 'kysely'
import type { FamilySort } from '../../contract/products/shapes.ts'
import type { Db } from '../../database/connection.ts'
import { askedRows, cutPage, decodeCursor, type Nulls } from '../../platform/cursor.ts'
import { containing, soughtText } from '../../platform/postgres/like-pattern.ts'
import { isSettled } from '../verdicts/settled.ts'
import { findingSeverity, ownSeverity } from '../own-severity.ts'

export type FamilyQuery = {
  workspaceId: string
  archived: boolean
  /** Part of a name, without regard to case. */
  search: string | undefined
  sort: FamilySort
  cursor: string | undefined
}

export type ListedFamily = {
  id: string
  name: string
  createdAt: Date
  archivedAt: Date | null
  activeVersions: number
  activeSboms: number
  lastUploadAt: Date | null
}

type ListedFamilies = {
  rows: ListedFamily[]
  nextCursor: string | null
  /** That fit the search. */
  total: number
  /** Whatever the search. */
  all: number
}

type SortValues = { sort_1: number; sort_2: number; sort_name: string }
type Totals = { total: number; all: number }

/**
 * The families of a workspace in use, or those archived, 100 a page; ties are by name, which is unique. Findings are counted for all families
 * where they are sorted by, else for none. Indexes family_name, sbom_family, finding_workspace. Codes: `invalid_request` (cursor).
 */
export async function selectFamilyPage(db: Db, query: FamilyQuery): Promise<ListedFamilies> {
  const { rows } = await sql<Totals & ((ListedFamily & SortValues) | Nulls<ListedFamily & SortValues>)>`
    with ${listed(query)},
    ${countedBy[query.sort]},
    ranked as (
      select l.*, (${sortKeys[query.sort][0]})::float8 as sort_1, (${sortKeys[query.sort][1]})::float8 as sort_2
      from listed l
      left join counted c on c.family_id = l.id
      where l.is_found
    ),
    page as (
      select * from ranked
      where ${follows(query)}
      order by ${order(query.sort)}
      limit ${askedRows}
    )
    select t.total, t.all, p.id, p.name, p.created_at as "createdAt", p.archived_at as "archivedAt", p.sort_1, p.sort_2, p.sort_name,
      ${uploads}, (
        select count(*) from product_version where family_id = p.id and retired_at is null
      ) + u.unnamed as "activeVersions"
    from (select count(*) filter (where is_found) as total, count(*) as all from listed) t
    left join page p on true
    left join lateral (
      select count(*) filter (where s.active and v.retired_at is null) as active,
        count(*) filter (where s.active and s.version_id is null) as unnamed, max(s.received_at) as last_at
      from sbom s
      left join product_version v on v.id = s.version_id
      where s.workspace_id = ${query.workspaceId} and s.family_id = p.id
    ) u on true
    order by ${order(query.sort)}`.execute(db)
  const found = rows.filter((row): row is Totals & ListedFamily & SortValues => row.id !== null)
  const { shown, nextCursor } = cutPage(found, {
    shape: cursorShape(query.sort),
    position: (row) => [row.sort_1, row.sort_2, row.sort_name, row.id],
  })
  return {
    rows: shown,
    nextCursor,
    total: rows[0]?.total ?? 0,
    all: rows[0]?.all ?? 0,
  }
}

const uploads = sql`u.active as "activeSboms", u.last_at as "lastUploadAt"`

function listed({ workspaceId, archived, search }: FamilyQuery): RawBuilder<unknown> {
  const words = soughtText(search)
  return sql`
    listed as materialized (
      select id, name, created_at, archived_at, lower(name) collate "C" as sort_name,
        ${words === '' ? sql`true` : sql`name ilike ${containing(words)}`} as is_found
      from family
      where workspace_id = ${workspaceId} and deleted_at is null and archived_at is ${archived ? sql`not null` : sql`null`}
    )`
}

/** What sorting needs to know about every family: `counted (family_id, …)`. */
const nothing = sql`counted as (select null::uuid as family_id where false)`
const lastUploads = sql`
    counted as materialized (
      select l.id as family_id, (select max(received_at) from sbom where family_id = l.id) as last_at from listed l where l.is_found
    )`
const openFindings = sql`
    counted as materialized (
      select f.family_id, count(*) as open, count(*) filter (where f.exploited_by <> '{}') as exploited
      from listed l
      join finding f on f.family_id = l.id and f.closed_at is null and not ${isSettled('f')}
      where l.is_found
      group by f.family_id
    )`
const graveFindings = sql`
    counted as materialized (
      select f.family_id, count(*) filter (where g.is_malware) as malware, count(*) as open,
        count(*) filter (where ${findingSeverity.severity} = 'critical') as critical,
        count(*) filter (where ${findingSeverity.severity} = 'high') as high
      from listed l
      join finding f on f.family_id = l.id and f.closed_at is null and not ${isSettled('f')}
      join vulnerability_group g on g.id = f.group_id
      left join ${ownSeverity(sql.ref('f.identity_id'))}
      where l.is_found
      group by f.family_id
    )`

const countedBy = {
  name: nothing,
  '-name': nothing,
  upload: lastUploads,
  '-upload': lastUploads,
  malware: graveFindings,
  exploited: openFindings,
  findings: openFindings,
  severity: graveFindings,
} as const satisfies Record<FamilySort, RawBuilder<unknown>>

const same = sql`0`
/** More than a family has findings: malware is above every severity. */
const malwareWeight = sql`1e9`
/** Later than every upload: families without one come last in both directions. */
const neverUploaded = sql`1e18`

/** Ascending. */
const sortKeys = {
  name: [same, same],
  '-name': [same, same],
  upload: [sql`coalesce(-extract(epoch from c.last_at), ${neverUploaded})`, same],
  '-upload': [sql`coalesce(extract(epoch from c.last_at), ${neverUploaded})`, same],
  malware: [sql`-coalesce(c.malware, 0)`, sql`-coalesce(c.open, 0)`],
  exploited: [sql`-coalesce(c.exploited, 0)`, sql`-coalesce(c.open, 0)`],
  findings: [sql`-coalesce(c.open, 0)`, same],
  severity: [
    sql`-coalesce(c.malware, 0) * ${malwareWeight} - coalesce(c.critical, 0)`,
    sql`-coalesce(c.high, 0)`,
  ],
} as const satisfies Record<FamilySort, readonly [RawBuilder<unknown>, RawBuilder<unknown>]>

function order(sort: FamilySort): RawBuilder<unknown> {
  return sort === '-name' ? sql`sort_name desc, id desc` : sql`sort_1, sort_2, sort_name, id`
}

function cursorShape(sort: FamilySort) {
  return { list: `families ${sort}`, kinds: ['float', 'float', 'text', 'uuid'] } as const
}

function follows({ sort, cursor }: FamilyQuery): RawBuilder<boolean> {
  if (cursor === undefined) return sql<boolean>`true`
  const [first, second, name, id] = decodeCursor(cursorShape(sort), cursor)
  if (sort === '-name') return sql<boolean>`(sort_name, id) < (${name}::text collate "C", ${id}::uuid)`
  return sql<boolean>`(sort_1, sort_2, sort_name, id) > (
    ${first}::float8, ${second}::float8, ${name}::text collate "C", ${id}::uuid)`
}
