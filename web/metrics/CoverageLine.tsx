import type { ReactNode } from 'react'
import type { Metrics } from '#contract/metrics/shapes.ts'
import { LineChart } from '../kit/chart/LineChart.tsx'
import { formatDate, formatShare } from '../kit/text/format.ts'
import { countedSince } from './counted.ts'

/** The share of components covered by vulnerability data, over the days of a period. */
export function CoverageLine({ metrics }: { metrics: Metrics }): ReactNode {
  const { firstDay, today } = metrics
  const points = metrics.counted
    .filter(({ components }) => components > 0)
    .map(({ day, covered, components }) => ({ day, value: covered / components }))
  return (
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
  )
}
