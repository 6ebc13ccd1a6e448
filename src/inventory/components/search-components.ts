import { sql, type RawBuilder } from 'kysely'
import type { ShownDecidability } from '../../contract/identity.ts'
import type { ComponentUse, ComponentUsePage } from '../../contract/inventory/shapes.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { decodeCursor, encodeCursor, pageSize, type Nulls } from '../../platform/cursor.ts'
import { refuseTooMany } from '../../formats/table-file/max-rows.ts'
import { sourceOfIdentity, stateOfIdentity } from '../../vulndata/source-of-identity.ts'
import { isSettled } from '../../findings/verdicts/settled.ts'
import {
  componentsOfPage,
  foundComponents,
  narrowedVersions,
  highestId,
  type ComponentSearch,
  type Position,
} from './found-components.ts'
import type { NarrowedVersions } from './within-versions.ts'

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
  decidability: ShownDecidability
  sort_name: string
  total: number
}

type Bounds = { isCut: boolean; last: [string, string, number] | null }
type StoredRow = Bounds & (StoredUse | Nulls<StoredUse>)

type FoundPage = {
  uses: StoredUse[]
  /** There may be more than were examined. */
  isCut: boolean
  last: Position | undefined
}

/**
 * Which active SBOMs have a component, by its name: 100 a page. Of a long list only the beginning is counted. Components that
 * no active SBOM has are left out, and so are those of an SBOM that has not been matched yet. Codes: `invalid_request` (cursor).
 */
export async function searchComponents(db: Db, query: ComponentSearch): Promise<ComponentUsePage> {
  const after = query.cursor === undefined ? undefined : readCursor(query.cursor)
  const within = await narrowedVersions(db, query)
  const found = await selectUses(db, query, after?.position, {
    within,
    components: componentsOfPage,
    uses: pageSize,
  })
  const isLower = found.isCut || within?.isCut === true
  const { total, isLowerBound } = after ?? { total: found.uses[0]?.total ?? 0, isLowerBound: isLower }
  const next = nextPosition(found, pageSize)
  return {
    rows: found.uses.slice(0, pageSize).map(toUse),
    nextCursor: next === undefined ? null : writeCursor({ position: next, total, isLowerBound }),
    total,
    isLowerBound,
  }
}

/** After the last use shown, else after the last component looked up; undefined when that was the last one of all. */
function nextPosition({ uses, isCut, last }: FoundPage, size: number): Position | undefined {
  const shown = uses[size - 1]
  if (uses.length > size && shown !== undefined) {
    return {
      name: shown.sort_name,
      familyId: shown.family_id,
      number: shown.number,
      sbomId: shown.sbom_id,
    }
  }
  return isCut ? last : undefined
}

/** Of a file, so that it takes few statements; a page of the list looks up far less. */
const componentsOfFile = 4_000
const usesOfFile = 4_000

/** All that `searchComponents` shows, in its order, for a file, a stretch of components at a time by their names. */
export async function* allUses(
  tx: Tx,
  query: Omit<ComponentSearch, 'cursor'>,
): AsyncGenerator<ComponentUse[]> {
  if (query.hash === undefined && (query.search ?? '').trim() === '') {
    refuseTooMany(await countComponents(tx, query.workspaceId), 'search for something first')
  }
  const stretch = {
    within: await narrowedVersions(tx, query),
    components: componentsOfFile,
    uses: usesOfFile,
  }
  let after: Position | undefined
  let rows = 0
  do {
    const found = await selectUses(tx, query, after, stretch)
    const shown = found.uses.slice(0, usesOfFile)
    rows += shown.length
    refuseTooMany(rows)
    if (shown.length > 0) yield shown.map(toUse)
    after = nextPosition(found, usesOfFile)
  } while (after !== undefined)
}

/** Of active SBOMs, as they state it. */
async function countComponents(tx: Tx, workspaceId: string): Promise<number> {
  const { total } = await tx
    .selectFrom('sbom')
    .select(sql<number>`coalesce(sum(component_count), 0)::bigint`.as('total'))
    .where('workspace_id', '=', workspaceId)
    .where('active', '=', true)
    .executeTakeFirstOrThrow()
  return total
}

/** How much is read by one statement. */
type Stretch = { within: NarrowedVersions | null; components: number; uses: number }

async function selectUses(
  db: Db,
  query: ComponentSearch,
  after: Position | undefined,
  { within, components, uses }: Stretch,
): Promise<FoundPage> {
  const { rows } = await sql<StoredRow>`
    with ${foundComponents(query, after, { within, atATime: components })},
    sought as materialized (
      select family_id, range_agg(int4range(number, number, '[]')) as numbers from found group by family_id
    ),
    present as materialized (
      select s.id as sbom_id, s.family_id, s.version_id, n.number
      from sought w
      join sbom s on s.family_id = w.family_id and s.workspace_id = ${query.workspaceId} and s.active
      join sbom_inventory v on v.sbom_id = s.id
      cross join unnest(v.numbers * w.numbers) as r (numbers)
      cross join generate_series(lower(r.numbers), upper(r.numbers) - 1) as n (number)
    ),
    used as materialized (
      select f.*, y.name as family, s.version_id, p.name as product_version, s.sbom_id
      from present s
      join found f on f.family_id = s.family_id and f.number = s.number
      join family y on y.id = s.family_id and y.archived_at is null and y.deleted_at is null
      left join product_version p on p.id = s.version_id
      where p.retired_at is null and ${isAfter(after)}
    )
    select u.group_name as "group", u.name, u.version, u.purl, u.licence, u.family_id, u.family, u.product_version,
      u.sbom_id, u.number, u.sort_name, (select count(*) from used) as total,
      (
        select count(*) from finding f
        where f.family_id = u.family_id and f.version_id is not distinct from u.version_id
          and f.identity_id = u.identity_id and f.closed_at is null and not ${isSettled('f')}
      ) as findings,
      ${stateOfIdentity('i', 'd')} as decidability, bound.is_cut as "isCut", bound.last
    from bound
    left join lateral (
      select * from used order by sort_name, family_id, number, sbom_id limit ${uses + 1}
    ) u on true
    left join component_identity i on i.id = u.identity_id
    left join data_source d on d.name = ${sourceOfIdentity('i')}
    order by u.sort_name, u.family_id, u.number, u.sbom_id`.execute(db)
  const [first] = rows
  const last = first?.last ?? null
  return {
    uses: rows.filter(isUse),
    isCut: first?.isCut === true,
    // sorts after every SBOM of the component
    last:
      last === null ? undefined : { name: last[0], familyId: last[1], number: last[2], sbomId: highestId },
  }
}

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
    decidability: use.decidability,
  }
}

function isAfter(after: Position | undefined): RawBuilder<boolean> {
  if (after === undefined) return sql<boolean>`true`
  return sql<boolean>`(f.sort_name, f.family_id, f.number, s.sbom_id) > (
    ${after.name}::text collate "C", ${after.familyId}::uuid, ${after.number}::int, ${after.sbomId}::uuid)`
}

const cursorShape = { list: 'all-components', kinds: ['text', 'uuid', 'int', 'uuid', 'int', 'int'] } as const

type Cursor = { position: Position; total: number; isLowerBound: boolean }

/** The count of the first page travels along, so that it is taken once. */
function writeCursor({ position, total, isLowerBound }: Cursor): string {
  const { name, familyId, number, sbomId } = position
  return encodeCursor(cursorShape, [name, familyId, number, sbomId, total, isLowerBound ? 1 : 0])
}

function readCursor(cursor: string): Cursor {
  const [name, familyId, number, sbomId, total, bound] = decodeCursor(cursorShape, cursor)
  return {
    position: { name, familyId, number, sbomId },
    total,
    isLowerBound: bound === 1,
  }
}
