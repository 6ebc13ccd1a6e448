import { sql } from 'kysely'
import { countedOf } from './distinct-vulnerabilities.ts'
import type { Grade } from '../../contract/findings/shapes.ts'
import type { Severity } from '../../contract/sbom/shapes.ts'
import type { Db } from '../../database/connection.ts'
import { componentsOfSbom } from '../../sbom/components/components-of-sbom.ts'
import { findingSeverity, ownSeverity } from '../own-severity.ts'
import { dueFindings, selectSbomFacts } from '../refresh/refresh-findings.ts'
import { verdictsOn } from '../verdicts/refresh-verdicts.ts'
import {
  countsInGrades,
  countStoredFindings,
  noFindings,
  selectSbomView,
  type SbomFindingCounts,
} from './count-findings.ts'
import { mayHaveVerdicts, type JudgedSubject } from '../verdicts/verdict-facts.ts'
import { isSbomOf, type SbomKey, type VersionView } from '../version-slot.ts'
import { listedRecords, wantedFindings } from '../refresh/wanted-findings.ts'

/** The limit while somebody waits: statements beyond it leave findings open, never clear them. */
const maxComparisons = 200_000

/**
 * What an SBOM has by its own components, even after another one took its place: the stored findings of a version are those of its active
 * SBOM, and a retired version has none. Those of another SBOM are worked out here and stored nowhere. Call it in a transaction with
 * a single snapshot.
 */
export async function countOwnFindings(db: Db, sbom: SbomKey, now: Date): Promise<SbomFindingCounts> {
  const view = await selectSbomView(db, sbom)
  if (view === undefined) return noFindings
  if (view.isShown) return countStoredFindings(db, view)
  const due = await selectDue(db, view)
  const isSettled = await settledVerdicts(db, view, due, now)
  const judged = due.map((finding) => ({ ...finding, settled: isSettled(finding), count: 1 }))
  const open = judged.filter(({ settled }) => settled === null)
  return countsInGrades(judged, new Set(open.flatMap(({ keys }) => keys)).size)
}

type DueFinding = JudgedSubject & {
  severity: Severity
  grade: Grade
  is_exploited: boolean
  is_malware: boolean
  /** What of it counts as a vulnerability. */
  keys: string[]
}

async function selectDue(db: Db, view: VersionView): Promise<DueFinding[]> {
  const { rows } = await sql<DueFinding>`
    with part as materialized (
      select distinct c.identity_id from sbom s cross join ${componentsOfSbom('s')} where ${isSbomOf(view)}
    ),
    ${listedRecords},
    ${wantedFindings},
    ${dueFindings(view, await selectSbomFacts(db, view))}
    select d.identity_id, d.group_id, coalesce(i.package_key, i.subject) as package_key, ${findingSeverity.severity} as severity, d.grade,
      d.exploited_by <> '{}' as is_exploited, g.is_malware, array(select key from ${countedOf('g')}) as keys
    from due d
    join component_identity i on i.id = d.identity_id
    join vulnerability_group g on g.id = d.group_id
    left join ${ownSeverity(sql.ref('d.identity_id'))}`.execute(db)
  return rows
}

type Settled = 'not_affected' | 'fixed' | null

async function settledVerdicts(
  db: Db,
  view: VersionView,
  due: readonly DueFinding[],
  now: Date,
): Promise<(finding: DueFinding) => Settled> {
  if (due.length === 0 || !(await mayHaveVerdicts(db, view))) return () => null
  const groupIds = [...new Set(due.map(({ group_id }) => group_id))]
  const verdictOn = await verdictsOn(db, view, due, { now, groupIds, maxComparisons })
  return (finding) => {
    const { verdict } = verdictOn(finding)
    return verdict === 'not_affected' || verdict === 'fixed' ? verdict : null
  }
}
