import type { ReactNode } from 'react'
import type { CountedDay, Metrics } from '#contract/metrics/shapes.ts'
import { NotJudged } from '../findings/Covered.tsx'
import { formatCount, formatDate } from '../kit/text/format.ts'
import type { Column } from '../kit/table/column.ts'
import { scaleTop } from '../kit/chart/drawing.ts'
import { LineChart, type Line } from '../kit/chart/LineChart.tsx'
import { changedDays, countedNote, countedSince } from './counted.ts'
import { Part } from './Part.tsx'
import { exposureTitle, isJudged } from './words.ts'

const columns: Column<CountedDay>[] = [
  { id: 'day', header: 'Day', cell: ({ day }) => formatDate(day) },
  { id: 'any', header: 'Exploited', widthPx: 104, align: 'right', cell: (day) => countOf(day, 'exploited') },
  { id: 'kev', header: 'KEV', widthPx: 88, align: 'right', cell: (day) => countOf(day, 'kev') },
  {
    id: 'euvd',
    header: 'EUVD',
    widthPx: 88,
    align: 'right',
    from: 'sm',
    cell: (day) => countOf(day, 'euvd'),
  },
]

/** A zero means nothing where nothing could be checked. */
function countOf(day: CountedDay, figure: 'exploited' | 'kev' | 'euvd'): ReactNode {
  return day[figure] > 0 || isJudged(day) ? formatCount(day[figure]) : <NotJudged />
}

/** Open findings listed in a catalogue of exploited vulnerabilities, day by day. */
export function ExposureChart({ metrics }: { metrics: Metrics }): ReactNode {
  const { counted, firstDay, today } = metrics
  const known = counted.filter((day) => day.exploited > 0 || isJudged(day))
  const lines: Line[] = [
    {
      name: 'KEV',
      color: 'var(--sign-critical)',
      dash: '',
      points: known.map(({ day, kev }) => ({ day, value: kev })),
    },
    {
      name: 'EUVD',
      color: 'var(--pending)',
      dash: '6 4',
      points: known.map(({ day, euvd }) => ({ day, value: euvd })),
    },
  ]
  const highest = Math.max(0, ...counted.flatMap(({ kev, euvd }) => [kev, euvd]))
  return (
    <Part
      title={exposureTitle(metrics)}
      about={`Open findings that CISA’s KEV catalogue and the EU’s list (EUVD) name. ${countedNote}`}
      table={{
        label: 'Exploited findings by day',
        columns,
        rows: changedDays(counted, ['kev', 'euvd', 'exploited', 'covered']),
        rowId: ({ day }) => day,
      }}
    >
      <LineChart
        label={`Open findings in KEV and in the EUVD from ${formatDate(firstDay)} to ${formatDate(today)}`}
        lines={lines}
        top={scaleTop(highest)}
        format={formatCount}
        known={countedSince(metrics)}
        holds={false}
        firstDay={firstDay}
        lastDay={today}
      />
    </Part>
  )
}
