import type { ReactNode } from 'react'
import type { CountedDay, Metrics } from '#contract/metrics/shapes.ts'
import { formatCount, formatDate, formatShare } from '../kit/text/format.ts'
import type { Column } from '../kit/table/column.ts'
import { LineChart } from '../kit/chart/LineChart.tsx'
import { changedDays, countedNote, countedSince } from './counted.ts'
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

/** The share of components that vulnerability data can decide about, day by day. */
export function CoverageChart({ metrics }: { metrics: Metrics }): ReactNode {
  const { firstDay, today } = metrics
  const counted = metrics.counted.filter(({ components }) => components > 0)
  const points = counted.map(({ day, covered, components }) => ({ day, value: covered / components }))
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
      <LineChart
        label={`Share of covered components from ${formatDate(firstDay)} to ${formatDate(today)}`}
        lines={[{ name: 'covered', color: 'var(--good)', dash: '', points }]}
        top={1}
        format={(share) => formatShare(share, 1)}
        known={countedSince(metrics)}
        holds={false}
        firstDay={firstDay}
        lastDay={today}
      />
    </Part>
  )
}
