import { sql, type RawBuilder } from 'kysely'
import type { ComponentRow, ComponentSort, Page } from '../../contract/app.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { Db } from '../../database/connection.ts'
import { askedRows, cutPage, decodeCursor } from '../../platform/cursor.ts'
import { componentsOfSbom } from '../../sbom/components/components-of-sbom.ts'
import { sourceOfIdentity, stateOfIdentity } from '../../vulndata/source-of-identity.ts'
import { nameInFull, saysText } from './component-spellings.ts'
import { isSettled } from '../../findings/verdicts/settled.ts'
import { isVersion, selectSlot, type VersionSlot } from '../../findings/version-slot.ts'

type ComponentQuery = {
  workspaceId: string
  sbomId: string
  /** Part of a name, group, version or purl, or of Maven's `group:name`, without regard to case. */
  search: string | undefined
  sort: ComponentSort
  cursor: string | undefined
}

type StoredComponent = ComponentRow & { sort_rank: number; sort_name: string; total: string }

/**
 * The components of an SBOM with what could not be decided about them. Served by the primary key of component through the
 * SBOM's list of numbers. Codes: `not_found`, `invalid_request` (cursor).
 */
export async function listComponents(db: Db, query: ComponentQuery): Promise<Page<ComponentRow>> {
  const slot = await selectSlot(db, query)
  if (slot === undefined) throw new ServiceError('not_found')
  const result = await sql<StoredComponent>`
    with listed as materialized (
      select c.*, lower(c.name) collate "C" as sort_name
      from sbom s
      cross join ${componentsOfSbom}
      where s.workspace_id = ${query.workspaceId} and s.id = ${query.sbomId}
        and ${matches(query.search)}
    ),
    ranked as (
      select l.*, ${query.sort === 'findings' ? sql`-${findingsOn(sql`l.identity_id`, slot)}` : sql`0`} as sort_rank
      from listed l
    ),
    page as (
      select * from ranked
      where ${follows(query)}
      order by ${order(query.sort)} limit ${askedRows}
    )
    select p.number, p.type, p.group_name as "group", p.name, p.version, p.purl, p.cpe, p.licence, p.supplier,
      ${stateOfIdentity} as decidability, i.reason, ${findingsOn(sql`p.identity_id`, slot)} as findings,
      p.sort_rank, p.sort_name, (select count(*) from listed) as total
    from page p
    left join component_identity i on i.id = p.identity_id
    left join data_source d on d.name = ${sourceOfIdentity}
    order by ${order(query.sort)}`.execute(db)
  const { shown, nextCursor } = cutPage(result.rows, {
    shape: cursorShape(query.sort),
    position: (row) => [row.sort_rank, row.sort_name, row.number],
  })
  return {
    rows: shown.map(toRow),
    nextCursor,
    total: Number(result.rows[0]?.total ?? 0),
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
      and f.closed_at is null and not ${isSettled}
  )`
}

function matches(search: string | undefined) {
  const text = search?.trim() ?? ''
  if (text === '') return sql`true`
  return saysText([nameInFull('c'), sql.ref('c.purl')], text.slice(0, 200))
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
