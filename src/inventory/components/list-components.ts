import { sql, type RawBuilder } from 'kysely'
import type { ComponentRow, ComponentSort } from '../../contract/inventory/components.ts'
import type { ComponentScope } from '../../contract/sbom/shapes.ts'
import type { Page } from '../../contract/page.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { askedRows, cutPage, decodeCursor } from '../../platform/cursor.ts'
import { readAll } from '../../platform/postgres/snapshot.ts'
import { refuseTooMany } from '../../formats/table-file/max-rows.ts'
import { componentsOfSbom } from '../../sbom/components/components-of-sbom.ts'
import { reasonOf, sourceOfIdentity, stateOfIdentity } from '../../vulndata/source-of-identity.ts'
import { namesOfRow, saysText } from '../../findings/reads/component-spellings.ts'
import { readBounds } from './version-bounds.ts'
import { isOneOf, selectWithin, type NarrowedVersions } from './within-versions.ts'
import { isSettled } from '../../findings/verdicts/settled.ts'
import { isVersion, selectSlot, type VersionSlot } from '../../findings/version-slot.ts'
import { soughtText } from '../../platform/postgres/like-pattern.ts'

type ComponentQuery = {
  workspaceId: string
  sbomId: string
  /**
   * Part of a name, group, version or purl, or of Maven's `group:name`, without regard to case; behind it `<2.17` and the like, which the version
   * must be by the order of its ecosystem.
   */
  search: string | undefined
  scope?: ComponentScope | undefined
  sort: ComponentSort
  cursor: string | undefined
}

type StoredComponent = ComponentRow & { sort_rank: number; sort_name: string; total: number }

/** Of the SBOM `query.sbomId`, those that the search finds, as `listed`. */
function listedComponents(
  { workspaceId, sbomId, search, scope }: Omit<ComponentQuery, 'cursor'>,
  within: NarrowedVersions | null,
): RawBuilder<unknown> {
  return sql`
    listed as materialized (
      select c.*, lower(c.name) collate "C" as sort_name
      from sbom s
      cross join ${componentsOfSbom('s')}
      where s.workspace_id = ${workspaceId} and s.id = ${sbomId} and ${matches(search)}
        and ${isOneOf(sql`c.identity_id`, within)} and ${hasScope(scope)}
    )`
}

/** The versions that the search is narrowed to; null: all. */
async function narrowedVersions(
  db: Db,
  { workspaceId, sbomId, search }: Omit<ComponentQuery, 'cursor'>,
): Promise<NarrowedVersions | null> {
  const { bounds } = readBounds(soughtText(search))
  if (bounds.length === 0) return null
  const named = sql`
    select c.identity_id from sbom s cross join ${componentsOfSbom('s')}
    where s.workspace_id = ${workspaceId} and s.id = ${sbomId} and ${matches(search)}`
  return selectWithin(db, named, bounds)
}

/**
 * The components of an SBOM with what could not be decided about them. Served by the primary key of component through the
 * SBOM's list of numbers. Codes: `not_found`, `invalid_request` (cursor).
 */
export async function listComponents(db: Db, query: ComponentQuery): Promise<Page<ComponentRow>> {
  const slot = await selectSlot(db, query)
  if (slot === undefined) throw new ServiceError('not_found')
  const result = await sql<StoredComponent>`
    with ${listedComponents(query, await narrowedVersions(db, query))},
    ranked as (
      select l.*, ${query.sort === 'findings' ? sql`-${findingsOn(sql`l.identity_id`, slot)}` : sql`0`} as sort_rank
      from listed l
    ),
    page as (
      select * from ranked
      where ${follows(query)}
      order by ${order(query.sort)} limit ${askedRows}
    )
    select p.number, p.type, p.group_name as "group", p.name, p.version, p.purl, p.cpe, p.licence, p.supplier, p.scope,
      ${stateOfIdentity('i', 'd')} as decidability, ${reasonOf('i')} as reason, ${findingsOn(sql`p.identity_id`, slot)} as findings,
      p.sort_rank, p.sort_name, (select count(*) from listed) as total
    from page p
    left join component_identity i on i.id = p.identity_id
    left join data_source d on d.name = ${sourceOfIdentity('i')}
    order by ${order(query.sort)}`.execute(db)
  const { shown, nextCursor } = cutPage(result.rows, {
    shape: cursorShape(query.sort),
    position: (row) => [row.sort_rank, row.sort_name, row.number],
  })
  return {
    rows: shown.map(toRow),
    nextCursor,
    total: result.rows[0]?.total ?? 0,
  }
}

/** All that `listComponents` shows, in its order, for a file. Codes: `not_found`, `invalid_request` when there are more than a file may have. */
export async function* allComponents(
  tx: Tx,
  query: Omit<ComponentQuery, 'cursor'>,
): AsyncGenerator<ComponentRow[]> {
  const slot = await selectSlot(tx, query)
  if (slot === undefined) throw new ServiceError('not_found')
  const statement = sql<StoredComponent>`
    with ${listedComponents(query, await narrowedVersions(tx, query))},
    counted as materialized (
      select f.identity_id, count(*)::int as findings
      from finding f
      where f.family_id = ${slot.familyId} and ${isVersion('f.version_id', slot.versionId)}
        and f.closed_at is null and not ${isSettled('f')}
      group by f.identity_id
    ),
    -- made by hash: of a family it has not counted the store expects one row
    weighed as materialized (select l.*, n.findings from listed l full join counted n using (identity_id)),
    ranked as (
      select w.*, ${query.sort === 'findings' ? sql`-coalesce(w.findings, 0)` : sql`0`} as sort_rank
      from weighed w
      where w.number is not null
    )
    select p.number, p.type, p.group_name as "group", p.name, p.version, p.purl, p.cpe, p.licence, p.supplier, p.scope,
      ${stateOfIdentity('i', 'd')} as decidability, ${reasonOf('i')} as reason, coalesce(p.findings, 0) as findings, p.sort_rank, p.sort_name,
      (select count(*) from listed) as total
    from ranked p
    left join component_identity i on i.id = p.identity_id
    left join data_source d on d.name = ${sourceOfIdentity('i')}
    order by ${order(query.sort)}`
  for await (const stored of readAll(tx, statement)) {
    refuseTooMany(stored[0]?.total ?? 0)
    yield stored.map(toRow)
  }
}

function cursorShape(sort: ComponentSort) {
  return { list: `components ${sort}`, kinds: ['int', 'text', 'int'] } as const
}

function toRow({ sort_rank: _rank, sort_name: _name, total: _total, ...row }: StoredComponent): ComponentRow {
  return row
}

/** How many open findings the version has on an identity. Index finding_subject. */
function findingsOn(identity: RawBuilder<unknown>, slot: VersionSlot): RawBuilder<number> {
  return sql`(
    select count(*)::int from finding f
    where f.family_id = ${slot.familyId} and ${isVersion('f.version_id', slot.versionId)} and f.identity_id = ${identity}
      and f.closed_at is null and not ${isSettled('f')}
  )`
}

function matches(search: string | undefined) {
  const { words } = readBounds(soughtText(search))
  return words === '' ? sql`true` : saysText(namesOfRow('c'), words)
}

/** What says nothing is required. */
function hasScope(scope: ComponentScope | undefined): RawBuilder<unknown> {
  return scope === undefined ? sql`true` : sql`coalesce(c.scope, 'required') = ${scope}`
}

function order(sort: ComponentSort) {
  return sort === '-name' ? sql`sort_name desc, number desc` : sql`sort_rank, sort_name, number`
}

function follows({ sort, cursor }: ComponentQuery) {
  if (cursor === undefined) return sql`true`
  const [rank, name, number] = decodeCursor(cursorShape(sort), cursor)
  if (sort === '-name') return sql`(sort_name, number) < (${name}::text collate "C", ${number}::int)`
  return sql`(sort_rank, sort_name, number) > (${rank}::int, ${name}::text collate "C", ${number}::int)`
}
