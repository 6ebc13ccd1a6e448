import { sql, type RawBuilder } from 'kysely'
import type { VulnerabilityPage } from '../contract/app.ts'
import type { Catalogue, Grade } from '../contract/finding.ts'
import { severities, type Severity } from '../contract/sbom.ts'
import type { VerdictFilter } from '../contract/verdict.ts'
import type { VulnerabilityRow, VulnerabilitySort } from '../contract/vulnerability.ts'
import type { Db } from '../database/connection.ts'
import { decodeCursor, encodeCursor } from '../platform/cursor.ts'
import { containing } from '../platform/postgres/like-pattern.ts'
import { epssOfGroup, toEpss } from './epss-of-group.ts'
import { speaksOf } from './find-vulnerability.ts'
import { hasVerdict, urgencyBand } from './finding-query.ts'

const pageSize = 100
const longestSearch = 200

export type VulnerabilityQuery = {
  workspaceId: string
  familyId?: string | undefined
  /** Part of an id, an alias or a summary, without regard to case; or the whole id of what a record is about. */
  search?: string | undefined
  severity?: Severity | undefined
  exploited?: Catalogue | 'any' | undefined
  grade?: Grade | undefined
  /** Which findings count. */
  verdict: VerdictFilter
  sort: VulnerabilitySort
  cursor?: string | undefined
}

type StoredRow = {
  group_id: number
  title: string
  summary: string
  severity: Severity
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

type StoredTotals = { total: number; hidden: number; entries: number }

/**
 * The vulnerabilities with open findings in the families that are not archived, 100 a page; ties are by title. Counts are of the
 * findings that have the verdict asked for. Served by the index finding_workspace. Codes: `invalid_request` (cursor).
 */
export async function listVulnerabilities(db: Db, query: VulnerabilityQuery): Promise<VulnerabilityPage> {
  const { rows } = await sql<StoredTotals & (StoredRow | { group_id: null })>`
    with ${affectedGroups(query)},
    found as materialized (
      select g.*, v.title_id as title, v.summary, v.severity, v.score, (${sortKeys[query.sort].band})::float8 as sort_1
      from affected_group g
      join vulnerability_group v on v.id = g.group_id
      where ${matches(query)}
    ),
    ${ranked(query)},
    totals as (
      select count(*) filter (where is_shown) as total, coalesce(sum(findings) filter (where is_shown), 0)::bigint as entries,
        count(*) filter (where not is_shown and not exists (
          select from affected_group o where o.group_id = f.group_id and o.is_shown
        )) as hidden
      from found f
    )
    select l.*, e.score as epss_score, e.percentile, t.*
    from totals t
    left join (
      select * from ranked
      where ${follows(query)}
      order by sort_1, sort_2, title collate "C", group_id
      limit ${pageSize + 1}
    ) l on true
    left join lateral ${epssOfGroup(sql.ref('l.group_id'))} e on true
    order by sort_1, sort_2, title collate "C", l.group_id`.execute(db)
  const stored = rows.filter((row) => row.group_id !== null)
  const shown = stored.slice(0, pageSize)
  const last = shown.at(-1)
  const hasMore = stored.length > pageSize && last !== undefined
  return {
    rows: shown.map(toRow),
    nextCursor: hasMore
      ? encodeCursor(cursorShape(query.sort), [last.sort_1, last.sort_2, last.title, last.group_id])
      : null,
    total: rows[0]?.total ?? 0,
    hidden: rows[0]?.hidden ?? 0,
    findings: rows[0]?.entries ?? 0,
  }
}

function toRow(row: StoredRow): VulnerabilityRow {
  return {
    id: row.title,
    summary: row.summary,
    severity: row.severity,
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

/** Findings become versions first, then vulnerabilities: counting distinct versions would sort every finding. */
function affectedGroups({ workspaceId, familyId, verdict }: VulnerabilityQuery): RawBuilder<unknown> {
  return sql`
    affected_version as (
      select f.group_id, f.family_id, f.version_id, ${hasVerdict(verdict)} as is_shown, bool_or(f.grade = 'exact') as is_exact,
        bool_or('kev' = any(f.exploited_by)) as in_kev, bool_or('euvd' = any(f.exploited_by)) as in_euvd,
        min(f.first_seen_at) as first_seen_at, count(*) as findings
      from finding f
      join family y on y.id = f.family_id and y.archived_at is null and y.deleted_at is null
      where f.workspace_id = ${workspaceId} and f.closed_at is null
        and ${familyId === undefined ? sql`true` : sql`f.family_id = ${familyId}`}
      group by f.group_id, f.family_id, f.version_id, is_shown
    ),
    affected_group as (
      select group_id, is_shown, count(distinct family_id) as families, count(*) as versions, sum(findings)::bigint as findings,
        case when bool_or(is_exact) then 'exact' else 'possible' end as grade,
        array_remove(array[case when bool_or(in_kev) then 'kev' end, case when bool_or(in_euvd) then 'euvd' end], null)
          as exploited_by,
        min(first_seen_at) as first_seen_at
      from affected_version
      group by group_id, is_shown
    )`
}

function matches({ search, severity, exploited, grade }: VulnerabilityQuery): RawBuilder<boolean> {
  const conditions = [sql<boolean>`true`]
  if (severity !== undefined) conditions.push(sql`v.severity = ${severity}`)
  if (grade !== undefined) conditions.push(sql`g.grade = ${grade}`)
  if (exploited === 'any') conditions.push(sql`g.exploited_by <> '{}'`)
  else if (exploited !== undefined) conditions.push(sql`${exploited} = any(g.exploited_by)`)
  const words = search?.trim().slice(0, longestSearch) ?? ''
  if (words !== '') conditions.push(contains(words))
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}

function contains(text: string): RawBuilder<boolean> {
  const pattern = containing(text)
  return sql<boolean>`(
    v.title_id ilike ${pattern} or v.summary ilike ${pattern} or ${speaksOf(sql.ref('v.id'), text)}
    or exists (
      select from vulnerability r
      join alias_assertion a on a.vulnerability_id = r.id and a.relation in ('self', 'alias')
      where r.group_id = v.id and a.other_id ilike ${pattern}
    )
  )`
}

const severityRank = sql<number>`array_position(${[...severities]}::text[], v.severity)`
const rankOfFound = sql<number>`array_position(${[...severities]}::text[], f.severity)`

const epss = sql`coalesce((select score from ${epssOfGroup(sql.ref('f.group_id'))} as e), -1)`

/**
 * Ascending: a band, worked out for all vulnerabilities, then within the bands of which some are shown; what has no score comes after
 * everything that has one, and an EPSS score, a multiple of 0.00001, outweighs the severity beside it.
 */
const sortKeys = {
  urgency: { band: urgencyBand(sql`g.exploited_by`, sql`v.severity`), within: sql`-${epss}` },
  severity: { band: severityRank, within: sql`-coalesce(f.score, 0)` },
  epss: { band: sql`0`, within: sql`-${epss} * 10000000 + ${rankOfFound}` },
  newest: { band: sql`-extract(epoch from g.first_seen_at)`, within: rankOfFound },
  affected: { band: sql`-g.versions`, within: rankOfFound },
} as const satisfies Record<VulnerabilitySort, { band: RawBuilder<unknown>; within: RawBuilder<unknown> }>

/** Of `found`, what may stand on the page after the cursor, with its second sort value; as `rankedFindings`. */
function ranked({ sort, cursor }: VulnerabilityQuery): RawBuilder<unknown> {
  const from = cursor === undefined ? '-infinity' : decodeCursor(cursorShape(sort), cursor)[0]
  return sql`
    ranked as (
      select f.*, (${sortKeys[sort].within})::float8 as sort_2
      from found f
      where f.is_shown and f.sort_1 >= ${from}::float8 and f.sort_1 <= coalesce((
        select sort_1 from found where is_shown and sort_1 > ${from}::float8 order by sort_1 offset ${pageSize} limit 1
      ), 'infinity')
    )`
}

function cursorShape(sort: VulnerabilitySort) {
  return { list: `vulnerabilities ${sort}`, kinds: ['float', 'float', 'text', 'bigint'] } as const
}

function follows({ sort, cursor }: VulnerabilityQuery): RawBuilder<boolean> {
  if (cursor === undefined) return sql<boolean>`true`
  const [first, second, title, group] = decodeCursor(cursorShape(sort), cursor)
  return sql<boolean>`(sort_1, sort_2, title collate "C", group_id) > (
    ${first}::float8, ${second}::float8, ${title}::text collate "C", ${group}::bigint)`
}
