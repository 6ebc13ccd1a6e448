import type { ReactNode } from 'react'
import type { CountedDay, Metrics } from '#contract/metrics/shapes.ts'
import { formatCount, formatDate, formatShare } from '../kit/text/format.ts'
import type { Column } from '../kit/table/column.ts'
import { changedDays, countedNote } from './counted.ts'
import { CoverageLine } from './CoverageLine.tsx'
import { Part } from './Part.tsx'
import { coverageTitle } from './words.ts'

const columns: Column<CountedDay>[] = [
  { id: 'day', header: 'Day', cell: ({ day }) => formatDate(day) },
  {
    id: 'share',
    header: 'Covered',
    widthPx: 104,
    align: 'right',
    cell: ({ covered, components }) => formatShare(covered, components),
  },
  {
    id: 'covered',
    header: 'Covered components',
    widthPx: 168,
    align: 'right',
    from: 'sm',
    cell: ({ covered }) => formatCount(covered),
  },
  {
    id: 'components',
    header: 'Components',
    widthPx: 120,
    align: 'right',
    cell: ({ components }) => formatCount(components),
  },
]

/** The share of components covered by vulnerability data, day by day. */
export function CoverageChart({ metrics }: { metrics: Metrics }): ReactNode {
  const counted = metrics.counted.filter(({ components }) => components > 0)
  return (
    <Part
      title={coverageTitle(metrics)}
      about={`Components of active SBOMs that the vulnerability data can decide about. ${countedNote}`}
      table={{
        label: 'Coverage by day',
        columns,
        rows: changedDays(counted, ['covered', 'components']),
        rowId: ({ day }) => day,
      }}
    >
      <CoverageLine metrics={metrics} />
    </Part>
  )
}
