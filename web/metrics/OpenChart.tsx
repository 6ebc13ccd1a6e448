import type { ReactNode } from 'react'
import type { Metrics, OpenDay } from '#contract/metrics/shapes.ts'
import { severities, type Severity } from '#contract/severities.ts'
import { NotJudged } from '../findings/Covered.tsx'
import { severityLooks } from '../findings/severity.ts'
import { formatCount, formatDate } from '../kit/text/format.ts'
import type { Column } from '../kit/table/column.ts'
import { scaleTop } from '../kit/chart/drawing.ts'
import { LineChart, type Line } from '../kit/chart/LineChart.tsx'
import { Part } from './Part.tsx'
import { isJudged, openTitle, sumOpen } from './words.ts'

const dashes: Record<Severity, string> = {
  critical: '',
  high: '10 4',
  medium: '2 4',
  low: '10 4 2 4',
  none: '1 8',
  unknown: '6 8',
}

type IsSilent = (day: OpenDay) => boolean

/** Days on which nothing was open because nothing could be checked. */
function silentDays({ counted }: Metrics): IsSilent {
  const unjudged = new Set(counted.filter((day) => !isJudged(day)).map(({ day }) => day))
  return ({ day, open }) => sumOpen(open) === 0 && unjudged.has(day)
}

const countColumn = (severity: Severity, isSilent: IsSilent): Column<OpenDay> => ({
  id: severity,
  header: severityLooks[severity].word,
  widthPx: 96,
  align: 'right',
  cell: (day) => (isSilent(day) ? <NotJudged /> : formatCount(day.open[severity])),
  ...(severity === 'critical' ? {} : { from: 'sm' as const }),
})

const columnsOf = (isSilent: IsSilent): Column<OpenDay>[] => [
  { id: 'day', header: 'Day', cell: ({ day }) => formatDate(day) },
  {
    id: 'all',
    header: 'Open',
    widthPx: 96,
    align: 'right',
    cell: (day) => (isSilent(day) ? <NotJudged /> : formatCount(sumOpen(day.open))),
  },
  ...severities.map((severity) => countColumn(severity, isSilent)),
]

/** Open findings by severity, day by day. */
export function OpenChart({ metrics }: { metrics: Metrics }): ReactNode {
  const { open, firstDay, today, knownSince } = metrics
  const lines: Line[] = severities
    .filter((severity) => open.some((day) => day.open[severity] > 0))
    .map((severity) => ({
      name: severityLooks[severity].word.toLowerCase(),
      color: severityLooks[severity].sign,
      dash: dashes[severity],
      points: open.map((day) => ({ day: day.day, value: day.open[severity] })),
    }))
  const highest = Math.max(0, ...open.flatMap((day) => severities.map((severity) => day.open[severity])))
  return (
    <Part
      title={openTitle(metrics)}
      about="Open findings at the end of each day, by the severity that the sources state today. What a verdict in force declares not affected or fixed is not open."
      table={{
        label: 'Open findings by day',
        columns: columnsOf(silentDays(metrics)),
        rows: open.toReversed(),
        rowId: ({ day }) => day,
      }}
    >
      <LineChart
        label={`Open findings by severity from ${formatDate(firstDay)} to ${formatDate(today)}`}
        lines={lines}
        top={scaleTop(highest)}
        format={formatCount}
        known={{ since: knownSince, before: `No SBOM before ${formatDate(knownSince ?? today)}` }}
        holds
        firstDay={firstDay}
        lastDay={today}
      />
    </Part>
  )
}
