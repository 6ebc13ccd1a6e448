import { sql, type RawBuilder } from 'kysely'
import type { FindingCounts } from '../../contract/findings/counts.ts'
import type { Grade } from '../../contract/findings/shapes.ts'
import type { Severity } from '../../contract/sbom/shapes.ts'
import type { Db } from '../../database/connection.ts'
import { findingSeverity, ownSeverity } from '../own-severity.ts'
import { isSettled } from '../verdicts/settled.ts'
import type { SbomKey, VersionSlot } from '../version-slot.ts'
import { uuidList } from '../../platform/postgres/columns.ts'
import { countedOf, distinctVulnerabilities } from './distinct-vulnerabilities.ts'
import { findingsOfSbom, findingsOfVersion } from './finding-query.ts'

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

/** An SBOM, its version and how that version's findings relate to it; undefined when the workspace has no such SBOM. */
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
      select f.severity, f.grade, f.is_malware, f.exploited_by <> '{}' as is_exploited, ${settledVerdict} as settled, f.group_id
      from ${sql.ref(isWhole ? 'of_version' : 'open_finding')} f
    )
    select severity, grade, is_malware, is_exploited, settled, count(*) as count,
      ${distinctVulnerabilities(sql`select distinct group_id from counted where settled is null`)} as vulnerabilities
    from counted
    group by severity, grade, is_malware, is_exploited, settled`.execute(db)
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
    select f.family_id, f.version_id, ${findingSeverity.severity} as severity, g.is_malware, f.exploited_by <> '{}' as is_exploited,
      ${settledVerdict} as settled, count(*) as count
    from finding f
    join vulnerability_group g on g.id = f.group_id
    left join ${ownSeverity(sql.ref('f.identity_id'))}
    where ${isOpenIn(scope)}
    group by 1, 2, 3, 4, 5, 6
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
      select distinct f.family_id, f.version_id, f.group_id from finding f where ${isOpenIn(scope)} and not ${isSettled('f')}
    ),
    keyed as materialized (
      select distinct p.family_id, p.version_id, counted_of.key
      from present p
      join vulnerability_group g on g.id = p.group_id
      cross join lateral ${countedOf('g')}
    )
    select family_id, version_id, false as of_family, count(*) as count from keyed group by 1, 2
    union all
    select family_id, null, true, count(*) from (select distinct family_id, key from keyed) p group by 1`.execute(
    db,
  )
  return new Map(
    rows.map((row) => [row.of_family ? row.family_id : slotKey(row.family_id, row.version_id), row.count]),
  )
}

export type CountedFindings = {
  severity: Severity
  is_malware: boolean
  is_exploited: boolean
  settled: 'not_affected' | 'fixed' | null
  count: number
}

const settledVerdict = sql`case when ${isSettled('f')} then f.verdict end`

function countsOf(rows: readonly CountedFindings[], vulnerabilities: number): FindingCounts {
  const open = unsettled(rows)
  const inSeverity = (severity: Severity) => sumOf(open.filter((row) => row.severity === severity))
  return {
    total: sumOf(open),
    vulnerabilities,
    malware: sumOf(open.filter((row) => row.is_malware)),
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
