import { sql, type RawBuilder } from 'kysely'
import type { FindingCounts, FindingIds, FindingPage, FindingRow, FindingSort } from '../../contract/app.ts'
import type { Catalogue, Grade, RecordClass } from '../../contract/finding.ts'
import type { Severity } from '../../contract/sbom.ts'
import { decisionLimits, type VerdictFilter } from '../../contract/verdict.ts'
import type { Verdict } from '../../contract/vex.ts'
import type { Db } from '../../database/connection.ts'
import { askedRows, cutPage, pageSize } from '../../platform/cursor.ts'
import { uuidList } from '../../platform/postgres/columns.ts'
import {
  bandColumn,
  classOfFinding,
  findingsOfSbom,
  findingsOfVersion,
  findingCursor,
  followsCursor,
  hasVerdict,
  matchesFilters,
  rankedFindings,
  type FindingFilters,
  type SortValues,
} from './finding-query.ts'
import { isSettled } from '../../findings/verdicts/settled.ts'
import { epssOfGroup, toEpss } from '../vulnerabilities/epss-of-group.ts'
import { selectFixedVersions } from '../../findings/fixed-versions.ts'
import { findingSeverity, ownSeverity } from '../../findings/own-severity.ts'
import { selectSlot, type SbomKey, type VersionSlot } from '../../findings/version-slot.ts'

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

export type SbomFindingCounts = FindingCounts & { grades: { exact: number; possible: number } }

/** The open findings of an SBOM by severity and grade; exploited ones are counted in their severity as well. */
export async function countFindingsOfSbom(db: Db, sbom: SbomKey): Promise<SbomFindingCounts> {
  const view = await selectSbomView(db, sbom)
  return view === undefined ? noFindings : countStoredFindings(db, view)
}

type SbomView = VersionSlot &
  SbomKey & {
    /** Whether the findings stored for its version are worked out from this SBOM. */
    isShown: boolean
    /** Whether they are all worked out. */
    isMatched: boolean
  }

/** An SBOM, its version and what the findings of that version are to it; undefined when the workspace has no such SBOM. */
export async function selectSbomView(
  db: Db,
  { workspaceId, sbomId }: SbomKey,
): Promise<SbomView | undefined> {
  const { rows } = await sql<SbomView>`
    select s.id as "sbomId", s.workspace_id as "workspaceId", s.family_id as "familyId", s.version_id as "versionId",
      s.active and p.retired_at is null as "isShown", s.status = 'matched' as "isMatched"
    from sbom s
    left join product_version p on p.id = s.version_id
    where s.workspace_id = ${workspaceId} and s.id = ${sbomId}`.execute(db)
  return rows[0]
}

export function countsInGrades(
  rows: readonly (CountedFindings & { grade: Grade })[],
  vulnerabilities: number,
): SbomFindingCounts {
  const inGrade = (grade: Grade) => sumOf(unsettled(rows).filter((row) => row.grade === grade))
  return {
    ...countsOf(rows, vulnerabilities),
    grades: { exact: inGrade('exact'), possible: inGrade('possible') },
  }
}

export const noFindings = countsInGrades([], 0)

type CountedOfSbom = CountedFindings & { grade: Grade; vulnerabilities: number }

/**
 * The open findings of a version are those of its active SBOM once that is matched: then its components need not be looked at, which takes
 * longer than counting. Another SBOM counts those on the components that it has.
 */
export async function countStoredFindings(db: Db, view: SbomView): Promise<SbomFindingCounts> {
  const isWhole = view.isShown && view.isMatched
  const { rows } = await sql<CountedOfSbom>`
    with ${isWhole ? findingsOfVersion(view) : findingsOfSbom(view.sbomId, view)},
    counted as materialized (
      select f.severity, f.grade, f.exploited_by <> '{}' as is_exploited, ${settledVerdict} as settled, f.group_id
      from ${sql.ref(isWhole ? 'of_version' : 'open_finding')} f
    )
    select severity, grade, is_exploited, settled, count(*) as count,
      (select count(*) from (select distinct group_id from counted where settled is null) d) as vulnerabilities
    from counted
    group by severity, grade, is_exploited, settled`.execute(db)
  return countsInGrades(rows, rows[0]?.vulnerabilities ?? 0)
}

type FamiliesOf = { workspaceId: string; familyIds: readonly string[] }

export type VersionCounts = { familyId: string; versionId: string | null; findings: FindingCounts }

/**
 * The open findings of some families of a workspace, per product version (null: the slot without version).
 * Versions without findings are absent. A vulnerability in several versions is one of the family: `vulnerabilitiesOf` counts them.
 * Index finding_workspace.
 */
export async function countFindingsOfVersions(
  db: Db,
  scope: FamiliesOf,
): Promise<{ versions: VersionCounts[]; vulnerabilitiesOf: (familyId: string) => number }> {
  const { rows } = await sql<CountedFindings & { family_id: string; version_id: string | null }>`
    select f.family_id, f.version_id, ${findingSeverity.severity} as severity, f.exploited_by <> '{}' as is_exploited, ${settledVerdict} as settled,
      count(*) as count
    from finding f
    join vulnerability_group g on g.id = f.group_id
    left join ${ownSeverity(sql.ref('f.identity_id'))}
    where ${isOpenIn(scope)}
    group by 1, 2, 3, 4, 5
    order by 1, 2`.execute(db)
  const distinct = await countVulnerabilities(db, scope)
  const versions = Map.groupBy(rows, (row) => slotKey(row.family_id, row.version_id))
  return {
    versions: [...versions].flatMap(([key, counted]) => {
      const [first] = counted
      if (first === undefined) return []
      const findings = countsOf(counted, distinct.get(key) ?? 0)
      return [{ familyId: first.family_id, versionId: first.version_id, findings }]
    }),
    vulnerabilitiesOf: (familyId) => distinct.get(familyId) ?? 0,
  }
}

function isOpenIn({ workspaceId, familyIds }: FamiliesOf): RawBuilder<boolean> {
  return sql`f.workspace_id = ${workspaceId} and f.closed_at is null and f.family_id = any(${uuidList(familyIds)})`
}

function slotKey(familyId: string, versionId: string | null): string {
  return JSON.stringify([familyId, versionId])
}

/** Distinct open vulnerabilities by `slotKey`, and by the id of a family for all of its versions. */
async function countVulnerabilities(db: Db, scope: FamiliesOf): Promise<Map<string, number>> {
  type Counted = { family_id: string; version_id: string | null; of_family: boolean; count: number }
  const { rows } = await sql<Counted>`
    with present as materialized (
      select distinct f.family_id, f.version_id, f.group_id from finding f where ${isOpenIn(scope)} and not ${isSettled}
    )
    select family_id, version_id, false as of_family, count(*) as count from present group by 1, 2
    union all
    select family_id, null, true, count(*) from (select distinct family_id, group_id from present) p group by 1`.execute(
    db,
  )
  return new Map(
    rows.map((row) => [row.of_family ? row.family_id : slotKey(row.family_id, row.version_id), row.count]),
  )
}

export type CountedFindings = {
  severity: Severity
  is_exploited: boolean
  settled: 'not_affected' | 'fixed' | null
  count: number
}

const settledVerdict = sql`case when ${isSettled} then f.verdict end`

function countsOf(rows: readonly CountedFindings[], vulnerabilities: number): FindingCounts {
  const open = unsettled(rows)
  const inSeverity = (severity: Severity) => sumOf(open.filter((row) => row.severity === severity))
  return {
    total: sumOf(open),
    vulnerabilities,
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
