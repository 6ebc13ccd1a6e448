import type { ReactNode } from 'react'
import { stageNames } from '#contract/incidents/incident-names.ts'
import type { IncidentRow, ReportSummary } from '#contract/incidents/shapes.ts'
import { visibleText } from '#contract/hidden-characters.ts'
import { Countdown } from '../kit/time/Countdown.tsx'
import { ExploitedChips } from '../findings/ExploitedChip.tsx'
import type { Column } from '../kit/table/column.ts'
import { Foreign } from '../kit/text/Foreign.tsx'
import { Age } from '../kit/time/Time.tsx'
import { DeterminationMark, DrillChip, IncidentStatusChip } from './incident-marks.tsx'
import { regimeMarks, sourceNames } from './words.ts'

const whatColumns: Column<IncidentRow>[] = [
  {
    id: 'reference',
    header: 'Incident',
    widthPx: 136,
    phoneWidthPx: 172,
    cell: ({ reference, isExercise, title }) => (
      <span className="two-lines">
        <span className="uncut-row">
          {reference} {isExercise ? <DrillChip /> : null}
        </span>
        <span className="phone-only dimmed clip">
          <Foreign>{title}</Foreign>
        </span>
      </span>
    ),
  },
  {
    id: 'title',
    header: 'Title',
    from: 'sm',
    cell: ({ title }) => (
      <span title={visibleText(title)}>
        <Foreign>{title}</Foreign>
      </span>
    ),
  },
  {
    id: 'source',
    header: 'Source',
    widthPx: 128,
    from: 'lg',
    cell: ({ listedBy, source }) =>
      listedBy.length > 0 ? (
        <ExploitedChips catalogues={listedBy} />
      ) : (
        <span className="dimmed">{sourceNames[source]}</span>
      ),
  },
  { id: 'aware', header: 'Aware', widthPx: 100, from: 'xl', cell: ({ awareAt }) => <Age at={awareAt} /> },
]

const whoColumns: Column<IncidentRow>[] = [
  {
    id: 'determination',
    header: 'Determination',
    widthPx: 164,
    from: 'md',
    cell: ({ determination }) => <DeterminationMark of={determination} />,
  },
  {
    id: 'assignee',
    header: 'Assignee',
    widthPx: 116,
    from: 'lg',
    cell: ({ assignee }) =>
      assignee === null ? <span className="dimmed">nobody</span> : <Foreign>{assignee.name}</Foreign>,
  },
]

/** Columns shared by lists of incidents; deadlines are in the workspace's zone. */
export function incidentColumns(timeZone: string): Column<IncidentRow>[] {
  return [
    ...whatColumns,
    {
      id: 'next',
      header: 'Next due',
      // as wide as the longest that a countdown can be: `overdue by 95 h 59 min`
      widthPx: 206,
      phoneWidthPx: 204,
      cell: (incident) => <NextDue incident={incident} timeZone={timeZone} />,
    },
    ...whoColumns,
  ]
}

function NextDue({ incident, timeZone }: { incident: IncidentRow; timeZone: string }): ReactNode {
  const { next, status } = incident
  if (status === 'closed') return <IncidentStatusChip status="closed" />
  if (next === null) return <span className="dimmed">nothing due</span>
  return <ReportDue report={next} timeZone={timeZone} />
}

/** When a report is due, and which one. */
export function ReportDue({ report, timeZone }: { report: ReportSummary; timeZone: string }): ReactNode {
  const { dueAt, status, regime } = report
  if (dueAt === null) return null
  return (
    <span className="uncut-row">
      <Countdown dueAt={dueAt} timeZone={timeZone} isSoon={status === 'due_soon'} />
      <span className="dimmed wide-only">
        {regimeMarks[regime]} {stageNames[report.report].toLowerCase()}
      </span>
    </span>
  )
}
