import { sql } from 'kysely'
import type { FindingIds, FindingPage, FindingRow, FindingSort } from '../../contract/app.ts'
import type { Catalogue, Grade, RecordClass } from '../../contract/finding.ts'
import type { Severity } from '../../contract/sbom.ts'
import { decisionLimits, type VerdictFilter } from '../../contract/verdict.ts'
import type { Verdict } from '../../contract/vex.ts'
import type { Db } from '../../database/connection.ts'
import { selectFixedVersions } from '../../findings/fixed-versions.ts'
import { selectSlot, type SbomKey } from '../../findings/version-slot.ts'
import { askedRows, cutPage, pageSize } from '../../platform/cursor.ts'
import { epssOfGroup, toEpss } from '../vulnerabilities/epss-of-group.ts'
import {
  bandColumn,
  classOfFinding,
  findingsOfSbom,
  findingCursor,
  followsCursor,
  hasVerdict,
  matchesFilters,
  rankedFindings,
  type FindingFilters,
  type SortValues,
} from './finding-query.ts'

export type FindingQuery = SbomKey &
  FindingFilters & {
    /** Default: `open`. */
    verdict?: VerdictFilter | undefined
    /** Default: exploited ones first, then by severity, then by EPSS. */
    sort?: FindingSort | undefined
    cursor?: string | undefined
  }

type StoredFinding = SortValues & {
  identity_id: string
  group_id: number
  title: string
  summary: string
  severity: Severity
  score: number | null
  occurrences: number
  epss_score: number | null
  percentile: number | null
  exploited_by: Catalogue[]
  grade: Grade
  class: RecordClass
  verdict: Verdict | null
  verdict_decision_id: string | null
  name: string
  version: string | null
  purl: string | null
  first_seen_at: Date
}

type StoredTotals = Pick<FindingPage, 'total' | 'hidden' | 'exploited' | 'vulnerabilities'>

/**
 * The open findings of an SBOM: those of its version on the components it has, 100 a page. A replaced SBOM shows what it
 * shares with the one that took its place. Codes: `invalid_request` (cursor).
 */
export async function listFindings(db: Db, query: FindingQuery): Promise<FindingPage> {
  const slot = await selectSlot(db, query)
  if (slot === undefined) return { rows: [], nextCursor: null, ...nothingFound }
  const sort = query.sort ?? 'urgency'
  const { rows } = await sql<(StoredFinding | { id: null }) & StoredTotals>`
    with ${findingsOfSbom(query.sbomId, slot)},
    found as materialized (
      select f.*, ${hasVerdict(query.verdict ?? 'open')} as is_shown, ${bandColumn(sort)}
      from open_finding f
      where ${matchesFilters(query)}
    ),
    ${rankedFindings({ sort, cursor: query.cursor, rows: pageSize })},
    totals as (
      select count(*) filter (where is_shown) as total, count(*) filter (where not is_shown) as hidden,
        count(*) filter (where is_shown and exploited_by <> '{}') as exploited,
        count(distinct group_id) filter (where is_shown) as vulnerabilities
      from found
    )
    select f.*, e.score as epss_score, e.percentile,
      case when f.id is not null then ${classOfFinding} end as class, t.*
    from totals t
    left join (
      select * from ranked
      where ${followsCursor(sort, query.cursor)}
      order by sort_1, sort_2, sort_3, sort_4, id
      limit ${askedRows}
    ) f on true
    left join lateral ${epssOfGroup(sql.ref('f.group_id'))} e on true
    order by sort_1, sort_2, sort_3, sort_4, id`.execute(db)
  const found = rows.filter((row) => row.id !== null)
  const { shown, nextCursor } = cutPage(found, {
    shape: findingCursor(sort),
    position: (row) => [row.sort_1, row.sort_2, row.sort_3, row.sort_4, row.id],
  })
  const fixedIn = await selectFixedVersions(db, shown.map(subjectOf))
  return {
    rows: shown.map((row) => toRow(row, fixedIn(subjectOf(row)))),
    nextCursor,
    ...totalsOf(rows[0]),
  }
}

const nothingFound: StoredTotals = { total: 0, hidden: 0, exploited: 0, vulnerabilities: 0 }

function totalsOf({ total, hidden, exploited, vulnerabilities } = nothingFound): StoredTotals {
  return { total, hidden, exploited, vulnerabilities }
}

/** As many findings as can be judged at once, of all that fit a query, the exploited ones first. */
export async function selectFindingIds(
  db: Db,
  query: Omit<FindingQuery, 'sort' | 'cursor'>,
): Promise<FindingIds> {
  const slot = await selectSlot(db, query)
  if (slot === undefined) return { ids: [], exploited: [] }
  const { rows } = await sql<{ id: string; is_exploited: boolean }>`
    with ${findingsOfSbom(query.sbomId, slot)}
    select f.id, f.exploited_by <> '{}' as is_exploited
    from open_finding f
    where ${matchesFilters(query)} and ${hasVerdict(query.verdict ?? 'open')}
    order by is_exploited desc, f.id
    limit ${decisionLimits.findings}`.execute(db)
  return {
    ids: rows.map(({ id }) => id),
    exploited: rows.filter(({ is_exploited }) => is_exploited).map(({ id }) => id),
  }
}

function subjectOf(row: StoredFinding): { identityId: string; groupId: number } {
  return { identityId: row.identity_id, groupId: row.group_id }
}

function toRow(row: StoredFinding, fixedIn: string | null): FindingRow {
  return {
    id: row.id,
    title: row.title,
    summary: row.summary,
    severity: row.severity,
    score: row.score,
    epss: toEpss(row.epss_score, row.percentile),
    exploitedBy: row.exploited_by,
    grade: row.grade,
    class: row.class,
    verdict: row.verdict,
    verdictSource: verdictSourceOf(row),
    component: { name: row.name, version: row.version, purl: row.purl },
    occurrences: row.occurrences,
    fixedIn,
    firstSeenAt: row.first_seen_at.toISOString(),
  }
}

function verdictSourceOf(row: StoredFinding): FindingRow['verdictSource'] {
  if (row.verdict === null) return null
  return row.verdict_decision_id === null ? 'document' : 'decision'
}
