import { sql, type RawBuilder } from 'kysely'
import type {
  VulnerabilityPage,
  VulnerabilityRow,
  VulnerabilitySort,
} from '../contract/vulnerabilities/shapes.ts'
import type { Catalogue, Grade } from '../contract/findings/shapes.ts'
import { severities, type Severity } from '../contract/sbom/shapes.ts'
import type { VerdictFilter } from '../contract/findings/verdict.ts'
import type { Db, Tx } from '../database/connection.ts'
import { askedRows, cutPage, decodeCursor, pageSize, type Nulls } from '../platform/cursor.ts'
import { readAll } from '../platform/postgres/snapshot.ts'
import { refuseTooMany } from '../formats/table-file/max-rows.ts'
import {
  affectedVersions,
  affectedVulnerabilities,
  namedVulnerabilities,
} from './affected-vulnerabilities.ts'
import { toEpss } from '../vulndata/reads/epss-of-group.ts'
import { soughtVulnerabilities } from './sought-vulnerabilities.ts'
import { severityBand, urgencyBand } from '../findings/reads/finding-query.ts'
import { soughtText } from '../platform/postgres/like-pattern.ts'

export type VulnerabilityQuery = {
  workspaceId: string
  familyId?: string | undefined
  /**
   * Part of an id, an alias, a summary, or the name, version or purl of a component it was found in, Maven's `group:name` too, without
   * regard to case; or the whole id of what a record is about.
   */
  search?: string | undefined
  severity?: Severity | undefined
  exploited?: Catalogue | 'any' | undefined
  grade?: Grade | undefined
  recordClass?: 'malware' | undefined
  /** Which findings count. */
  verdict: VerdictFilter
  sort: VulnerabilitySort
  cursor?: string | undefined
}

type StoredRow = {
  id: string
  summary: string
  severity: Severity
  is_malware: boolean
  score: number | null
  epss_score: number | null
  percentile: number | null
  exploited_by: Catalogue[]
  families: number
  versions: number
  findings: number
  grade: Grade
  first_seen_at: Date
  sort_1: number
  sort_2: number
}

type StoredTotals = { total: number; hidden: number; entries: number; exploited: number }

/**
 * The vulnerabilities with open findings in the families that are not archived, 100 a page: one row for each CVE over every group that
 * names it, else for each id of a group that names none; ties are by id. Counts are of the findings that have the verdict asked for, each
 * of them once. Served by the index finding_workspace. Codes: `invalid_request` (cursor).
 */
export async function listVulnerabilities(db: Db, query: VulnerabilityQuery): Promise<VulnerabilityPage> {
  const { rows } = await sql<StoredTotals & (StoredRow | Nulls<StoredRow>)>`
    with ${foundVulnerabilities(query)},
    ${ranked(query, pageSize)},
    totals as (
      select count(*) filter (where is_shown) as total,
        count(*) filter (where is_shown and exploited_by <> '{}') as exploited, (
          select coalesce(sum(a.findings), 0)::bigint from affected_version a
          where a.is_shown and exists (
            select from name_of_group n join found f on f.id = n.key and f.is_shown where n.group_id = a.group_id
          )
        ) as entries,
        count(*) filter (where not is_shown and not exists (
          select from affected_vulnerability o where o.id = f.id and o.is_shown
        )) as hidden
      from found f
    )
    select l.*, e.score as epss_score, e.percentile, t.*
    from totals t
    left join (
      select * from ranked
      where ${follows(query)}
      order by sort_1, sort_2, id collate "C"
      limit ${askedRows}
    ) l on true
    left join epss e on e.cve_id = l.id
    order by sort_1, sort_2, l.id collate "C"`.execute(db)
  const stored = rows.filter((row) => row.id !== null)
  const { shown, nextCursor } = cutPage(stored, {
    shape: cursorShape(query.sort),
    position: (row) => [row.sort_1, row.sort_2, row.id],
  })
  return {
    rows: shown.map(toRow),
    nextCursor,
    total: rows[0]?.total ?? 0,
    hidden: rows[0]?.hidden ?? 0,
    findings: rows[0]?.entries ?? 0,
    exploited: rows[0]?.exploited ?? 0,
  }
}

/** All that `listVulnerabilities` shows, in its order, for a file. Codes: `invalid_request` when there are more than a file may have. */
export async function* allVulnerabilities(
  tx: Tx,
  query: Omit<VulnerabilityQuery, 'cursor'>,
): AsyncGenerator<VulnerabilityRow[]> {
  const statement = sql<StoredRow & { total: number }>`
    with ${foundVulnerabilities(query)},
    ${ranked(query, null)}
    select l.*, e.score as epss_score, e.percentile, (select count(*) from found where is_shown) as total
    from ranked l
    left join epss e on e.cve_id = l.id
    order by sort_1, sort_2, l.id collate "C"`
  for await (const stored of readAll(tx, statement)) {
    refuseTooMany(stored[0]?.total ?? 0)
    yield stored.map(toRow)
  }
}

/** What a query finds, as common table expressions ending in `found (…, is_shown, sort_1)`. */
function foundVulnerabilities(query: VulnerabilityQuery): RawBuilder<unknown> {
  const words = soughtText(query.search)
  return sql`
    ${affectedVersions(query)},
    ${namedVulnerabilities},
    ${affectedVulnerabilities},
    ${words === '' ? sql`` : sql`${soughtVulnerabilities(words, query.workspaceId)},`}
    found as materialized (
      select v.*, (${sortKeys[query.sort].band})::float8 as sort_1
      from affected_vulnerability v
      where ${matches(query)} and ${words === '' ? sql`true` : sql`v.id in (select key from sought)`}
    )`
}

function toRow(row: StoredRow): VulnerabilityRow {
  return {
    id: row.id,
    summary: row.summary,
    severity: row.severity,
    malware: row.is_malware,
    score: row.score,
    epss: toEpss(row.epss_score, row.percentile),
    exploitedBy: row.exploited_by,
    families: row.families,
    versions: row.versions,
    findings: row.findings,
    grade: row.grade,
    firstSeenAt: row.first_seen_at.toISOString(),
  }
}

function matches({ severity, exploited, grade, recordClass }: VulnerabilityQuery): RawBuilder<boolean> {
  const conditions = [sql<boolean>`true`]
  if (severity !== undefined) conditions.push(sql`v.severity = ${severity}`)
  if (recordClass === 'malware') conditions.push(sql`v.is_malware`)
  if (grade !== undefined) conditions.push(sql`v.grade = ${grade}`)
  if (exploited === 'any') conditions.push(sql`v.exploited_by <> '{}'`)
  else if (exploited !== undefined) conditions.push(sql`${exploited} = any(v.exploited_by)`)
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}

const ofVulnerability = {
  isMalware: sql`v.is_malware`,
  exploitedBy: sql`v.exploited_by`,
  severity: sql`v.severity`,
}
const rankOfFound = sql<number>`array_position(${[...severities]}::text[], f.severity)`

const epss = sql`coalesce((select score from epss where cve_id = f.id), -1)`

/**
 * Ascending: a band, worked out for all vulnerabilities, then within the bands that have rows on the page; what has no score comes after
 * everything that has one, and an EPSS score, a multiple of 0.00001, outweighs the severity beside it.
 */
const sortKeys = {
  urgency: { band: urgencyBand(ofVulnerability), within: sql`-${epss}` },
  severity: { band: severityBand(ofVulnerability), within: sql`-coalesce(f.score, 0)` },
  epss: { band: sql`0`, within: sql`-${epss} * 10000000 + ${rankOfFound}` },
  newest: { band: sql`-extract(epoch from v.first_seen_at)`, within: rankOfFound },
  affected: { band: sql`-v.versions`, within: rankOfFound },
} as const satisfies Record<VulnerabilitySort, { band: RawBuilder<unknown>; within: RawBuilder<unknown> }>

/** Of `found`, what may be on the page after the cursor, or everything, with its second sort value; as `rankedFindings`. */
function ranked({ sort, cursor }: VulnerabilityQuery, rows: number | null): RawBuilder<unknown> {
  const from = cursor === undefined ? '-infinity' : decodeCursor(cursorShape(sort), cursor)[0]
  const last =
    rows === null
      ? sql`'infinity'`
      : sql`coalesce((
        select sort_1 from found where is_shown and sort_1 > ${from}::float8 order by sort_1 offset ${rows} limit 1
      ), 'infinity')`
  return sql`
    ranked as (
      select f.*, (${sortKeys[sort].within})::float8 as sort_2
      from found f
      where f.is_shown and f.sort_1 >= ${from}::float8 and f.sort_1 <= ${last}
    )`
}

function cursorShape(sort: VulnerabilitySort) {
  return { list: `vulnerabilities ${sort}`, kinds: ['float', 'float', 'text'] } as const
}

function follows({ sort, cursor }: VulnerabilityQuery): RawBuilder<boolean> {
  if (cursor === undefined) return sql<boolean>`true`
  const [first, second, id] = decodeCursor(cursorShape(sort), cursor)
  return sql<boolean>`(sort_1, sort_2, id collate "C") > (
    ${first}::float8, ${second}::float8, ${id}::text collate "C")`
}
