import type { FindingRow } from '#contract/findings/lists.ts'
import type { Column } from '../kit/table/column.ts'
import { NameVersion } from '../kit/text/NameVersion.tsx'
import { Age } from '../kit/time/Time.tsx'
import { ExploitedChips } from './ExploitedChip.tsx'
import { Fixes, fixesText } from './Fixes.tsx'
import { GradeMark } from './GradeMark.tsx'
import { isMalware, MalwareMark, type MayBeMalware } from './MalwareMark.tsx'
import { SeverityMark } from './Severity.tsx'
import { verdictLooks } from './verdict.ts'
import { VerdictChip } from './VerdictChip.tsx'

/** Columns shared by lists of findings and of vulnerabilities; each list sets order and widths. */

/** As wide as the icon of a mark. */
const mark = '  '

type Of<Field extends keyof FindingRow> = Column<Pick<FindingRow, Field>>

export const exploitedColumn: Of<'exploitedBy'> = {
  id: 'exploited',
  header: 'Exploited',
  widthPx: 128,
  cell: ({ exploitedBy }) => <ExploitedChips catalogues={exploitedBy} />,
}

/**
 * The columns of a list in which nothing is known to be exploited: the order by urgency is then one by severity, and hangs on that column.
 */
export function withoutExploited<Row>(columns: readonly Column<Row>[]): Column<Row>[] {
  const urgency = columns.find(({ id }) => id === exploitedColumn.id)?.sorts ?? []
  return columns
    .filter(({ id }) => id !== exploitedColumn.id)
    .map((column) =>
      column.id === severityColumn.id ? { ...column, sorts: [...urgency, ...(column.sorts ?? [])] } : column,
    )
}

/** Malware ranks above every severity and is shown instead of one. */
export const severityColumn: Column<Pick<FindingRow, 'severity' | 'score'> & MayBeMalware> = {
  id: 'severity',
  header: 'Severity',
  widthPx: 132,
  cell: ({ severity, score, ...row }) =>
    isMalware(row) ? <MalwareMark /> : <SeverityMark severity={severity} score={score} />,
}

export const componentColumn: Column<{
  component: Pick<FindingRow['component'], 'name' | 'version'> & { purl?: string | null }
}> = {
  id: 'component',
  header: 'Component',
  cell: ({ component: { name, version, purl } }) => (
    <NameVersion name={name} version={version} title={purl ?? null} />
  ),
}

export const verdictColumn: Of<'verdict' | 'verdictSource'> = {
  id: 'verdict',
  header: 'Verdict',
  widthPx: 104,
  maxPx: 180,
  fits: ({ verdict }) => (verdict === null ? '' : `${verdictLooks[verdict].word}${mark}`),
  cell: ({ verdict, verdictSource }) => <VerdictChip verdict={verdict} source={verdictSource} />,
}

export const fixedColumn: Column<Pick<FindingRow, 'fixedIn' | 'otherFixes'> & MayBeMalware> = {
  id: 'fixed',
  header: 'Fixed in',
  widthPx: 112,
  maxPx: 136,
  fits: fixesText,
  cell: (row) => <Fixes {...row} />,
}

export const gradeColumn: Of<'grade'> = {
  id: 'grade',
  header: 'Match',
  widthPx: 84,
  fits: ({ grade }) => `${grade}${mark}`,
  cell: ({ grade }) => <GradeMark grade={grade} />,
}

export const seenColumn: Of<'firstSeenAt'> = {
  id: 'seen',
  header: 'First seen',
  widthPx: 112,
  cell: ({ firstSeenAt }) => <Age at={firstSeenAt} />,
}
