import { sql, type RawBuilder } from 'kysely'
import type { VulnerabilityPage } from '../../contract/app.ts'
import type { Catalogue, Grade } from '../../contract/finding.ts'
import { severities, type Severity } from '../../contract/sbom.ts'
import type { VerdictFilter } from '../../contract/verdict.ts'
import type { VulnerabilityRow, VulnerabilitySort } from '../../contract/vulnerability.ts'
import type { Db } from '../../database/connection.ts'
import { askedRows, cutPage, decodeCursor, pageSize } from '../../platform/cursor.ts'
import { toEpss } from './epss-of-group.ts'
import { soughtVulnerabilities } from './sought-vulnerabilities.ts'
import { hasVerdict, urgencyBand } from '../findings/finding-query.ts'

const longestSearch = 200

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
  /** Which findings count. */
  verdict: VerdictFilter
  sort: VulnerabilitySort
  cursor?: string | undefined
}

type StoredRow = {
  id: string
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
 * The vulnerabilities with open findings in the families that are not archived, 100 a page: one row for each CVE over every group that
 * names it, else for each id of a group that names none; ties are by id. Counts are of the findings that have the verdict asked for, each
 * of them once. Served by the index finding_workspace. Codes: `invalid_request` (cursor).
 */
export async function listVulnerabilities(db: Db, query: VulnerabilityQuery): Promise<VulnerabilityPage> {
  const words = query.search?.trim().slice(0, longestSearch) ?? ''
  const { rows } = await sql<StoredTotals & (StoredRow | { id: null })>`
    with ${affectedVersions(query)},
    ${namedVulnerabilities},
    ${affectedVulnerabilities},
    ${words === '' ? sql`` : sql`${soughtVulnerabilities(words, query.workspaceId)},`}
    found as materialized (
      select v.*, (${sortKeys[query.sort].band})::float8 as sort_1
      from affected_vulnerability v
      where ${matches(query)} and ${words === '' ? sql`true` : sql`v.id in (select key from sought)`}
    ),
    ${ranked(query)},
    totals as (
      select count(*) filter (where is_shown) as total, (
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
  }
}

function toRow(row: StoredRow): VulnerabilityRow {
  return {
    id: row.id,
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
function affectedVersions({ workspaceId, familyId, verdict }: VulnerabilityQuery): RawBuilder<unknown> {
  return sql`
    affected_version as materialized (
      select f.group_id, f.family_id, f.version_id, ${hasVerdict(verdict)} as is_shown, bool_or(f.grade = 'exact') as is_exact,
        bool_or('kev' = any(f.exploited_by)) as in_kev, bool_or('euvd' = any(f.exploited_by)) as in_euvd,
        min(f.first_seen_at) as first_seen_at, count(*) as findings
      from finding f
      where f.workspace_id = ${workspaceId} and f.closed_at is null and ${isOfFamilyInUse(workspaceId)}
        and ${familyId === undefined ? sql`true` : sql`f.family_id = ${familyId}`}
      group by f.group_id, f.family_id, f.version_id, is_shown
    )`
}

/**
 * A list that is looked up for each finding. As a join the server would take the workspace and its families for two independent conditions and
 * expect next to no findings of a workspace among many; then it walks through them once for each of them.
 */
function isOfFamilyInUse(workspaceId: string): RawBuilder<boolean> {
  return sql<boolean>`(f.family_id in (
    select id from family where workspace_id = ${workspaceId} and archived_at is null and deleted_at is null
  )) is true`
}

/**
 * `name_of_group (group_id, key, own_group, catalogues, is_cve)`: under which ids the affected groups are listed, as `findVulnerability` finds
 * them by these, and which catalogues list the id. A name counts for the CVE that its own group is titled by, so that several CVEs of one
 * vulnerability, and a GHSA beside its CVE, are one row. Only names that a group does not have for itself are looked up. Indexes
 * vulnerability_of_group, alias_assertion_other.
 */
const namedVulnerabilities = sql`
    affected_group as materialized (
      select g.id, g.title_id collate "C" as title, g.title_id like 'CVE-%' as is_cve
      from (select distinct group_id from affected_version) a
      join vulnerability_group g on g.id = a.group_id
    ),
    affected_name as materialized (
      select g.id as group_id, g.title, a.other_id collate "C" as name,
        g.is_cve and bool_or(a.relation = 'self' or (a.relation = 'alias' and a.bridges)) as is_own
      from affected_group g
      cross join lateral (select id from vulnerability where group_id = g.id offset 0) v
      cross join lateral (
        select other_id, relation, bridges from alias_assertion
        where vulnerability_id = v.id and relation in ('self', 'alias', 'upstream') offset 0
      ) a
      group by g.id, g.title, a.other_id, g.is_cve
    ),
    foreign_name as materialized (
      select n.name, coalesce(c.title, case when n.name like 'CVE-%' then n.name end) as key, c.group_id
      from (select distinct name from affected_name where not is_own) n
      left join lateral (
        select g.title_id collate "C" as title, g.id as group_id
        from alias_assertion a
        join vulnerability v on v.id = a.vulnerability_id
        join vulnerability_group g on g.id = v.group_id and g.title_id like 'CVE-%'
        where a.other_id = n.name and (a.relation = 'self' or (a.relation = 'alias' and a.bridges))
        order by g.title_id <> n.name, g.id
        limit 1
      ) c on true
    ),
    known_name as materialized (
      select group_id, name, title as key, group_id as own_group from affected_name where is_own
      union all
      select n.group_id, n.name, f.key, f.group_id from affected_name n join foreign_name f on f.name = n.name and f.key is not null
      where not n.is_own
    ),
    listed_name as materialized (
      select k.key, array_agg(distinct e.source) as catalogues
      from known_name k
      join (
        select cve_id as name, source from exploited where removed_at is null and cve_id is not null
        union all
        select p.cve_id, x.source from exploited x join euvd_mapping p on p.euvd_id = x.euvd_id
        where x.removed_at is null and x.cve_id is null
      ) e on e.name = k.name
      group by k.key
    ),
    key_of_group as materialized (
      select group_id, key, min(own_group) as own_group from known_name group by group_id, key
    ),
    name_of_group as materialized (
      select n.group_id, n.key, n.own_group, l.catalogues, true as is_cve
      from key_of_group n
      left join listed_name l on l.key = n.key
      union all
      select g.id, g.title, g.id, null, false
      from affected_group g
      where not exists (select from key_of_group n where n.group_id = g.id)
    )`

/**
 * What catalogues say of a CVE counts for the findings that they list directly. Severity and summary are those of the vulnerability's own
 * group, else of one that names it.
 */
const affectedVulnerabilities = sql`
    keyed_version as (
      select n.key, a.is_shown, a.family_id, a.version_id, sum(a.findings) as findings, bool_or(a.is_exact) as is_exact,
        bool_or(a.in_kev and (not n.is_cve or 'kev' = any(n.catalogues))) as in_kev,
        bool_or(a.in_euvd and (not n.is_cve or 'euvd' = any(n.catalogues))) as in_euvd,
        min(a.first_seen_at) as first_seen_at
      from affected_version a
      join name_of_group n on n.group_id = a.group_id
      group by n.key, a.is_shown, a.family_id, a.version_id
    ),
    counted as (
      select key as id, is_shown, count(distinct family_id) as families, count(*) as versions, sum(findings)::bigint as findings,
        case when bool_or(is_exact) then 'exact' else 'possible' end as grade,
        array_remove(array[case when bool_or(in_kev) then 'kev' end, case when bool_or(in_euvd) then 'euvd' end], null)
          as exploited_by,
        min(first_seen_at) as first_seen_at
      from keyed_version
      group by key, is_shown
    ),
    telling as materialized (
      select t.key, g.id, g.summary, g.severity, g.score, t.is_other
      from (
        select key, own_group as group_id, false as is_other from name_of_group where own_group is not null
        union
        select key, group_id, true from name_of_group where group_id is distinct from own_group
      ) t
      join vulnerability_group g on g.id = t.group_id
    ),
    told as (
      select t.key, t.severity, t.score, coalesce(s.summary, '') as summary
      from (select distinct on (key) * from telling order by key, severity = 'unknown', is_other, id) t
      left join (
        select distinct on (key) key, summary from telling where summary <> '' order by key, is_other, id
      ) s on s.key = t.key
    ),
    affected_vulnerability as materialized (
      select c.*, t.summary, t.severity, t.score from counted c join told t on t.key = c.id
    )`

function matches({ severity, exploited, grade }: VulnerabilityQuery): RawBuilder<boolean> {
  const conditions = [sql<boolean>`true`]
  if (severity !== undefined) conditions.push(sql`v.severity = ${severity}`)
  if (grade !== undefined) conditions.push(sql`v.grade = ${grade}`)
  if (exploited === 'any') conditions.push(sql`v.exploited_by <> '{}'`)
  else if (exploited !== undefined) conditions.push(sql`${exploited} = any(v.exploited_by)`)
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}

const severityRank = sql<number>`array_position(${[...severities]}::text[], v.severity)`
const rankOfFound = sql<number>`array_position(${[...severities]}::text[], f.severity)`

const epss = sql`coalesce((select score from epss where cve_id = f.id), -1)`

/**
 * Ascending: a band, worked out for all vulnerabilities, then within the bands that have rows on the page; what has no score comes after
 * everything that has one, and an EPSS score, a multiple of 0.00001, outweighs the severity beside it.
 */
const sortKeys = {
  urgency: { band: urgencyBand(sql`v.exploited_by`, sql`v.severity`), within: sql`-${epss}` },
  severity: { band: severityRank, within: sql`-coalesce(f.score, 0)` },
  epss: { band: sql`0`, within: sql`-${epss} * 10000000 + ${rankOfFound}` },
  newest: { band: sql`-extract(epoch from v.first_seen_at)`, within: rankOfFound },
  affected: { band: sql`-v.versions`, within: rankOfFound },
} as const satisfies Record<VulnerabilitySort, { band: RawBuilder<unknown>; within: RawBuilder<unknown> }>

/** Of `found`, what may be on the page after the cursor, with its second sort value; as `rankedFindings`. */
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
  return { list: `vulnerabilities ${sort}`, kinds: ['float', 'float', 'text'] } as const
}

function follows({ sort, cursor }: VulnerabilityQuery): RawBuilder<boolean> {
  if (cursor === undefined) return sql<boolean>`true`
  const [first, second, id] = decodeCursor(cursorShape(sort), cursor)
  return sql<boolean>`(sort_1, sort_2, id collate "C") > (
    ${first}::float8, ${second}::float8, ${id}::text collate "C")`
}
