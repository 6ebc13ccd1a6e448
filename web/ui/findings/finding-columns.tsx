import type { ReactNode } from 'react'
import type { FindingCounts } from '../../../src/contract/app.ts'
import { ExploitedCount } from './ExploitedCount.tsx'
import { formatCount } from '../text/format.ts'
import { SeverityCounts } from './SeverityCounts.tsx'
import type { Column } from '../table/column.ts'

/** What a row of a list has findings of; `isJudged` is false while zero would not mean that nothing was found. */
type Counted<Row> = { countsOf: (row: Row) => FindingCounts; isJudged: (row: Row) => boolean }

/** The columns that count findings. Where nothing could be judged they stay empty: silence is not a zero. */
export function findingColumns<Row>({ countsOf, isJudged }: Counted<Row>): Column<Row>[] {
  const isBlank = (row: Row) => countsOf(row).total === 0 && !isJudged(row)
  function shown(row: Row, cell: (counts: FindingCounts) => ReactNode): ReactNode {
    return isBlank(row) ? <NotJudged /> : cell(countsOf(row))
  }
  return [
    {
      id: 'exploited',
      header: 'Exploited',
      widthPx: 96,
      align: 'right',
      cell: (row) => shown(row, (counts) => <ExploitedCount counts={counts} />),
    },
    {
      id: 'total',
      header: 'Findings',
      widthPx: 92,
      align: 'right',
      cell: (row) => shown(row, ({ total }) => formatCount(total)),
    },
    {
      id: 'severities',
      header: 'By severity',
      widthPx: 330,
      from: 'lg',
      isBlank,
      cell: (row) => shown(row, ({ bySeverity }) => <SeverityCounts counts={bySeverity} />),
    },
  ]
}

function NotJudged(): ReactNode {
  return (
    <span className="dimmed" title="Nothing has been checked yet">
      –
    </span>
  )
}
