import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { minuteMs } from '#contract/durations.ts'
import type { FamilyHistoryDay } from '#contract/inventory/shapes.ts'
import { familyHistoryQuery } from '../queries.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { useNow } from '../../kit/time/clock.ts'
import { dayOf } from '../../kit/time/local-time.ts'
import { formatCount, formatDate } from '../../kit/text/format.ts'
import type { Column } from '../../kit/table/column.ts'
import { ChartTable } from '../../kit/chart/ChartTable.tsx'
import { LineChart } from '../../kit/chart/LineChart.tsx'
import { AllClear } from '../../sources/AllClear.tsx'
import { trendOf } from './trend-chart.ts'
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
  const { timeZone } = useWorkspace()
  const today = dayOf(new Date(useNow(minuteMs)).toISOString(), timeZone)
  const trend = trendOf(days, today)
  if (trend === undefined) return <AllClear why="This family has never had an open finding." />
  const { points, top, firstDay, lastDay } = trend
  const now = formatCount(days.at(-1)?.open ?? 0)
  return (
    <>
      <LineChart
        label={`Open findings from ${formatDate(firstDay)} to ${formatDate(lastDay)}: at most ${formatCount(top)}, now ${now}`}
        lines={[{ name: 'open', color: 'var(--mantine-color-anchor)', dash: '', points }]}
        top={top}
        format={formatCount}
        known={{ since: firstDay, before: '' }}
        holds
        firstDay={firstDay}
        lastDay={lastDay}
      />
      <Text c="dimmed" fz="xs" mt="xs">
        Each day counts the verdicts in force on that day. Verdicts that ended before this release was
        installed are not included.
      </Text>
      <ChartTable
        label="Findings by day"
        columns={columns}
        rows={days.toReversed()}
        rowId={({ day }) => day}
      />
    </>
  )
}
