import type { ReactNode } from 'react'
import type { FindingCounts, Judged } from '#contract/findings/counts.ts'
import { ExploitedCount } from './ExploitedCount.tsx'
import { MalwareCount, MalwareOnPhone } from './MalwareCount.tsx'
import { formatCount } from '../kit/text/format.ts'
import { SeverityCounts } from './SeverityCounts.tsx'
import type { Column } from '../kit/table/column.ts'
import { Covered, CoveredBelow, NotJudged } from './Covered.tsx'

/** Counts of a row; where nothing was judged, zero does not mean that nothing was found. */
type Counted<Row> = { countsOf: (row: Row) => FindingCounts; judgedOf: (row: Row) => Judged }

/** Columns that count findings. They stay empty where nothing could be judged. */
export function findingColumns<Row>({ countsOf, judgedOf }: Counted<Row>): Column<Row>[] {
  const isBlank = (row: Row) => countsOf(row).total === 0 && judgedOf(row).covered === 0
  function shown(row: Row, cell: (counts: FindingCounts) => ReactNode): ReactNode {
    return isBlank(row) ? <NotJudged /> : cell(countsOf(row))
  }
  return [
    {
      id: 'malware',
      header: 'Malware',
      widthPx: 88,
      align: 'right',
      from: 'sm',
      appearsFor: (row) => countsOf(row).malware > 0,
      cell: (row) => shown(row, (counts) => <MalwareCount counts={counts} />),
    },
    {
      id: 'exploited',
      header: 'Exploited',
      widthPx: 96,
      phoneWidthPx: 88,
      align: 'right',
      cell: (row) => shown(row, (counts) => <ExploitedCount counts={counts} />),
    },
    {
      id: 'total',
      header: 'Findings',
      widthPx: 92,
      phoneWidthPx: 104,
      align: 'right',
      cell: (row) => (
        <>
          <MalwareOnPhone counts={countsOf(row)} />
          {shown(row, ({ total }) => formatCount(total))}
          <CoveredBelow judged={judgedOf(row)} />
        </>
      ),
    },
    {
      id: 'covered',
      header: 'Covered',
      widthPx: 84,
      align: 'right',
      from: 'sm',
      cell: (row) => <Covered judged={judgedOf(row)} />,
    },
    {
      id: 'severities',
      header: 'By severity',
      widthPx: 310,
      from: 'lg',
      isBlank,
      cell: (row) => shown(row, ({ bySeverity }) => <SeverityCounts counts={bySeverity} />),
    },
  ]
}
