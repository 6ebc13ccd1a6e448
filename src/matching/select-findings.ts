import { sql } from 'kysely'
import type { FindingCounts, FindingPage, FindingRow } from '../contract/app.ts'
import type { Catalogue, Grade, RecordClass } from '../contract/finding.ts'
import type { Severity } from '../contract/sbom.ts'
import type { VerdictFilter } from '../contract/verdict.ts'
import type { Verdict } from '../contract/vex.ts'
import type { Db } from '../database/connection.ts'
import { encodeCursor } from '../platform/cursor.ts'
import {
  classOfFinding,
  findingsOfSbom,
  findingCursor,
  followsCursor,
  hasVerdict,
  isSettled,
  matchesFilters,
  sortColumns,
  type FindingFilters,
  type FindingSort,
  type SortValues,
} from './finding-query.ts'
import { epssOfGroup, toEpss } from './epss-of-group.ts'
import { selectFixedVersions } from './fixed-versions.ts'
import { selectSlot, type SbomKey, type VersionSlot } from './version-slot.ts'

const pageSize = 100

export const findingSorts = [
  'severity',
  'component',
  'title',
  'newest',
  'epss',
] as const satisfies readonly FindingSort[]

export type FindingQuery = SbomKey &
  FindingFilters & {
    /** Default: `open`. */
    verdict?: VerdictFilter | undefined
    /** Default: the most severe first. */
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

type StoredTotals = { total: number; hidden: number }

/**
 * The open findings of an SBOM: those of its version on the components it has, 100 a page. A replaced SBOM shows what it
 * shares with the one that took its place. Codes: `invalid_request` (cursor).
 */
export async function listFindings(db: Db, query: FindingQuery): Promise<FindingPage> {
  const slot = await selectSlot(db, query)
  if (slot === undefined) return { rows: [], nextCursor: null, total: 0, hidden: 0 }
  const { rows } = await sql<(StoredFinding | { id: null }) & StoredTotals>`
    with ${findingsOfSbom(query.sbomId, slot)},
    found as materialized (
      select f.*, ${hasVerdict(query.verdict ?? 'open')} as is_shown, ${sortColumns(query.sort ?? 'severity')}
      from open_finding f
      where ${matchesFilters(query)}
    ),
    totals as (
      select count(*) filter (where is_shown) as total, count(*) filter (where not is_shown) as hidden from found
    )
    select f.*, e.score as epss_score, e.percentile,
      case when f.id is not null then ${classOfFinding} end as class, t.total, t.hidden
    from totals t
    left join (
      select * from found
      where is_shown and ${followsCursor(query.sort ?? 'severity', query.cursor)}
      order by sort_1, sort_2, sort_3, sort_4, id
      limit ${pageSize + 1}
    ) f on true
    left join lateral ${epssOfGroup(sql.ref('f.group_id'))} e on true
    order by sort_1, sort_2, sort_3, sort_4, id`.execute(db)
  const found = rows.filter((row) => row.id !== null)
  const shown = found.slice(0, pageSize)
  const fixedIn = await selectFixedVersions(db, shown.map(subjectOf))
  const last = shown.at(-1)
  const hasMore = found.length > pageSize && last !== undefined
  return {
    rows: shown.map((row) => toRow(row, fixedIn(subjectOf(row)))),
    nextCursor: hasMore
      ? encodeCursor(findingCursor(query.sort ?? 'severity'), [
          last.sort_1,
          last.sort_2,
          last.sort_3,
          last.sort_4,
          last.id,
        ])
      : null,
    total: rows[0]?.total ?? 0,
    hidden: rows[0]?.hidden ?? 0,
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
    fixedIn,
    firstSeenAt: row.first_seen_at.toISOString(),
  }
}

function verdictSourceOf(row: StoredFinding): FindingRow['verdictSource'] {
  if (row.verdict === null) return null
  return row.verdict_decision_id === null ? 'document' : 'decision'
}

export type SbomFindingCounts = FindingCounts & { grades: { exact: number; possible: number } }

/** The open findings of an SBOM by severity and grade; exploited ones are counted in their severity as well. */
export async function countFindingsOfSbom(db: Db, sbom: SbomKey): Promise<SbomFindingCounts> {
  const slot = await selectSlot(db, sbom)
  const rows = slot === undefined ? [] : await countOpen(db, sbom.sbomId, slot)
  return countsInGrades(rows)
}

export function countsInGrades(rows: readonly (CountedFindings & { grade: Grade })[]): SbomFindingCounts {
  const inGrade = (grade: Grade) => sumOf(unsettled(rows).filter((row) => row.grade === grade))
  return { ...countsOf(rows), grades: { exact: inGrade('exact'), possible: inGrade('possible') } }
}

async function countOpen(
  db: Db,
  sbomId: string,
  slot: VersionSlot,
): Promise<(CountedFindings & { grade: Grade })[]> {
  const { rows } = await sql<CountedFindings & { grade: Grade }>`
    with ${findingsOfSbom(sbomId, slot)}
    select f.severity, f.grade, f.exploited_by <> '{}' as is_exploited, ${settledVerdict} as settled, count(*) as count
    from open_finding f
    group by 1, 2, 3, 4`.execute(db)
  return rows
}

export type VersionCounts = { familyId: string; versionId: string | null; findings: FindingCounts }

/**
 * The open findings of a workspace's families, or of one of them, per product version (null: the slot without version).
 * Versions without findings are absent. Index finding_workspace.
 */
export async function countFindingsOfVersions(
  db: Db,
  { workspaceId, familyId }: { workspaceId: string; familyId?: string },
): Promise<VersionCounts[]> {
  const { rows } = await sql<CountedFindings & { family_id: string; version_id: string | null }>`
    select f.family_id, f.version_id, g.severity, f.exploited_by <> '{}' as is_exploited, ${settledVerdict} as settled,
      count(*) as count
    from finding f
    join vulnerability_group g on g.id = f.group_id
    where f.workspace_id = ${workspaceId} and f.closed_at is null
      and ${familyId === undefined ? sql`true` : sql`f.family_id = ${familyId}`}
    group by 1, 2, 3, 4, 5
    order by 1, 2`.execute(db)
  const versions = Map.groupBy(rows, (row) => JSON.stringify([row.family_id, row.version_id]))
  return [...versions.values()].flatMap((counted) => {
    const [first] = counted
    if (first === undefined) return []
    return [{ familyId: first.family_id, versionId: first.version_id, findings: countsOf(counted) }]
  })
}

export type CountedFindings = {
  severity: Severity
  is_exploited: boolean
  settled: 'not_affected' | 'fixed' | null
  count: number
}

const settledVerdict = sql`case when ${isSettled} then f.verdict end`

function countsOf(rows: readonly CountedFindings[]): FindingCounts {
  const open = unsettled(rows)
  const inSeverity = (severity: Severity) => sumOf(open.filter((row) => row.severity === severity))
  return {
    total: sumOf(open),
    exploited: sumOf(open.filter((row) => row.is_exploited)),
    bySeverity: {
      critical: inSeverity('critical'),
      high: inSeverity('high'),
      medium: inSeverity('medium'),
      low: inSeverity('low'),
      none: inSeverity('none'),
      unknown: inSeverity('unknown'),
    },
    notAffected: sumOf(rows.filter((row) => row.settled === 'not_affected')),
    fixed: sumOf(rows.filter((row) => row.settled === 'fixed')),
  }
}

function unsettled<T extends CountedFindings>(rows: readonly T[]): T[] {
  return rows.filter((row) => row.settled === null)
}

function sumOf(rows: readonly CountedFindings[]): number {
  return rows.reduce((sum, row) => sum + row.count, 0)
}
