import type { FindingRow } from '../../contract/findings/lists.ts'
import type { Catalogue, Grade, RecordClass } from '../../contract/findings/shapes.ts'
import type { ComponentScope, Severity } from '../../contract/sbom/shapes.ts'
import type { Verdict } from '../../contract/vex/shapes.ts'
import type { Db } from '../../database/connection.ts'
import { noFixes, selectFixes, type Fixes } from '../fixed-versions.ts'
import { selectDirect } from './direct-dependencies.ts'
import type { SbomGraph } from '../../sbom/dependencies/select-graph.ts'
import { toEpss } from '../../vulndata/reads/epss-of-group.ts'
import type { SortValues } from './finding-query.ts'

/** As it is read. */
export type StoredFinding = SortValues & {
  identity_id: string
  group_id: number
  title: string
  summary: string
  severity: Severity
  score: number | null
  /** The first of its components. */
  part_number: number
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
  scope: ComponentScope | null
  first_seen_at: Date
}

/** Findings as a list shows them, each with the versions that fix it and what it comes in through. */
export async function toFindingRows(
  db: Db,
  stored: readonly StoredFinding[],
  graph: SbomGraph | null,
): Promise<FindingRow[]> {
  const fixesOf = await selectFixes(db, stored.map(subjectOf))
  const directOf = await selectDirect(
    db,
    graph,
    stored.map((row) => row.part_number),
  )
  return stored.map((row) =>
    toRow(row, {
      ...(row.class === 'malware' ? noFixes : fixesOf(subjectOf(row))),
      directDependency: directOf(row.part_number),
    }),
  )
}

function subjectOf(row: StoredFinding): { identityId: string; groupId: number } {
  return { identityId: row.identity_id, groupId: row.group_id }
}

function toRow(row: StoredFinding, found: Fixes & Pick<FindingRow, 'directDependency'>): FindingRow {
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
    component: { name: row.name, version: row.version, purl: row.purl, scope: row.scope },
    occurrences: row.occurrences,
    ...found,
    firstSeenAt: row.first_seen_at.toISOString(),
  }
}

function verdictSourceOf(row: StoredFinding): FindingRow['verdictSource'] {
  if (row.verdict === null) return null
  return row.verdict_decision_id === null ? 'document' : 'decision'
}
