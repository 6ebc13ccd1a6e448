import { sql } from 'kysely'
import { severities, type Severity } from '../../contract/severities.ts'
import type { Db } from '../../database/connection.ts'
import { isSettled } from '../../findings/verdicts/settled.ts'
import { nodeOfNumber, type SbomGraph } from '../../sbom/dependencies/select-graph.ts'
import { lowestBelow } from '../../sbom/dependencies/walk.ts'
import { findingsOfVersion } from '../../findings/reads/finding-query.ts'

/** Open findings on a component. */
type FindingMark = { findings: number; severity: Severity; isExploited: boolean }

/** By node. */
type FindingMarks = ReadonlyMap<number, FindingMark>

/** A graph with the findings along it. */
export type MarkedGraph = SbomGraph & {
  marks: FindingMarks
  /** By node: 0 for none, else the place of the severity in `severities`, from 1 on. */
  worstBelow: Uint8Array
}

type MarkRow = { number: number; findings: number; rank: number; is_exploited: boolean }

/** The findings on the components of an SBOM, and on the components that depend on them. */
export async function markGraph(db: Db, workspaceId: string, graph: SbomGraph): Promise<MarkedGraph> {
  const marks = await selectMarks(db, workspaceId, graph)
  const ranks = new Uint8Array(graph.graph.nodes + 1)
  for (const [node, { severity }] of marks) ranks[node] = severities.indexOf(severity) + 1
  return { ...graph, marks, worstBelow: lowestBelow(graph.graph, ranks) }
}

/**
 * Which components of an SBOM have open findings that are not declared not affected or fixed. Served by finding_subject and
 * component_of_identity: the work follows the number of findings.
 */
export async function selectMarks(
  db: Db,
  workspaceId: string,
  { familyId, versionId, numbers }: SbomGraph,
): Promise<FindingMarks> {
  const { rows } = await sql<MarkRow>`
    with ${findingsOfVersion({ workspaceId, familyId, versionId })},
    counted as materialized (
      select f.identity_id, count(*)::int as findings, min(array_position(${[...severities]}::text[], f.severity)) as rank,
        bool_or(f.exploited_by <> '{}') as is_exploited
      from of_version f
      where not ${isSettled('f')}
      group by f.identity_id
    )
    select c.number, n.findings, n.rank, n.is_exploited
    from counted n
    cross join lateral (
      select number from component where identity_id = n.identity_id and family_id = ${familyId} offset 0
    ) c`.execute(db)
  const marks = new Map<number, FindingMark>()
  for (const { number, findings, rank, is_exploited: isExploited } of rows) {
    const node = nodeOfNumber(numbers, number)
    if (node === undefined) continue
    marks.set(node, { findings, severity: severityOf(rank) ?? 'unknown', isExploited })
  }
  return marks
}

export function severityOf(rank: number | undefined): Severity | null {
  return severities[(rank ?? 0) - 1] ?? null
}
