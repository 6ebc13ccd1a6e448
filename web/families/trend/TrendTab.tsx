import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { dayMs } from '#contract/durations.ts'
import type { FamilyHistoryDay } from '#contract/inventory/shapes.ts'
import { familyHistoryQuery } from '../queries.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { useNow } from '../../kit/time/clock.ts'
import { formatCount, formatDate } from '../../kit/text/format.ts'
import type { Column } from '../../kit/table/column.ts'
import { DataTable } from '../../kit/table/DataTable.tsx'
import { AllClear } from '../../sources/AllClear.tsx'
import { drawTrend, trendHeight, trendWidth, type Trend } from './trend-chart.ts'
import styles from './TrendTab.module.css'
import { Loaded } from '../../kit/page/Loaded.tsx'

const columns: Column<FamilyHistoryDay>[] = [
  { id: 'day', header: 'Day', cell: ({ day }) => formatDate(day) },
  { id: 'opened', header: 'Opened', widthPx: 96, align: 'right', cell: ({ opened }) => formatCount(opened) },
  {
    id: 'reopened',
    header: 'Reopened',
    widthPx: 104,
    align: 'right',
    from: 'sm',
    cell: ({ reopened }) => (
      <span title="The verdict that declared it not affected or fixed is no longer in force">
        {formatCount(reopened)}
      </span>
    ),
  },
  { id: 'closed', header: 'Closed', widthPx: 96, align: 'right', cell: ({ closed }) => formatCount(closed) },
  {
    id: 'settled',
    header: 'Declared',
    widthPx: 96,
    align: 'right',
    from: 'sm',
    cell: ({ settled }) => <span title="Declared not affected or fixed">{formatCount(settled)}</span>,
  },
  { id: 'open', header: 'Open', widthPx: 96, align: 'right', cell: ({ open }) => formatCount(open) },
]

/** The open findings of a family over time, and the days that changed them. */
export function TrendTab({ familyId }: { familyId: string }): ReactNode {
  const { slug } = useWorkspace()
  const history = useQuery(familyHistoryQuery(slug, familyId))
  return <Loaded query={history}>{(days) => <TrendOver days={days} />}</Loaded>
}

function TrendOver({ days }: { days: FamilyHistoryDay[] }): ReactNode {
  const today = new Date(useNow(dayMs)).toISOString().slice(0, 10)
  const trend = drawTrend(days, today)
  if (trend === undefined) return <AllClear why="This family has never had an open finding." />
  return (
    <>
      <TrendChart trend={trend} open={days.at(-1)?.open ?? 0} />
      <Text c="dimmed" fz="xs" mt="xs">
        Each day counts the verdicts in force on that day. Verdicts that ended before this release was
        installed are not included.
      </Text>
      <details className={styles['table']}>
        <summary>Show as a table</summary>
        <DataTable
          label="Findings by day"
          columns={columns}
          rows={days.toReversed()}
          rowId={({ day }) => day}
          empty={null}
        />
      </details>
    </>
  )
}

function TrendChart({ trend, open }: { trend: Trend; open: number }): ReactNode {
  const { line, area, top, firstDay, lastDay } = trend
  return (
    <div className={styles['chart']}>
      <div className={styles['scale']} aria-hidden>
        <span>{formatCount(top)}</span>
        <span>0</span>
      </div>
      <svg
        className={styles['plot']}
        viewBox={`0 0 ${trendWidth} ${trendHeight}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Open findings from ${formatDate(firstDay)} to ${formatDate(lastDay)}: at most ${formatCount(top)}, now ${formatCount(open)}`}
      >
        <path className={styles['area']} d={area} />
        <path className={styles['line']} d={line} />
      </svg>
      <div className={styles['days']} aria-hidden>
        <span>{formatDate(firstDay)}</span>
        <span>Open findings</span>
        <span>{formatDate(lastDay)}</span>
      </div>
    </div>
  )
}
