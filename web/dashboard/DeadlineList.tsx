import { Text } from '@mantine/core'
import { useMemo, type ReactNode } from 'react'
import { stageNames } from '#contract/incidents/incident-names.ts'
import type { DeadlineGroup, IncidentOverview } from '#contract/incidents/waiting.ts'
import { visibleText } from '#contract/hidden-characters.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { pages } from '../areas.ts'
import { Countdown } from '../kit/time/Countdown.tsx'
import { ReportStatusChip } from '../incidents/incident-marks.tsx'
import { regimeNames } from '../incidents/words.ts'
import { Empty } from '../kit/page/Empty.tsx'
import type { Column } from '../kit/table/column.ts'
import { DataTable } from '../kit/table/DataTable.tsx'
import { Foreign } from '../kit/text/Foreign.tsx'
import { formatCount } from '../kit/text/format.ts'

/** What is due next, overdue reports first, with a live countdown. */
export function DeadlineList({ overview }: { overview: IncidentOverview | undefined }): ReactNode {
  const { slug, timeZone } = useWorkspace()
  const columns = useMemo(() => columnsIn(timeZone), [timeZone])
  return (
    <>
      <DataTable
        label="Deadlines"
        columns={columns}
        rows={overview?.deadlines}
        rowId={({ id }) => id}
        rowLink={(group) => linkOf(slug, group)}
        empty={<Empty why="No report is due." />}
      />
      {overview === undefined || overview.deadlinesTotal <= overview.deadlines.length ? null : (
        <Text c="dimmed" mt="xs">
          The next {formatCount(overview.deadlines.length)} of {formatCount(overview.deadlinesTotal)}{' '}
          deadlines.
        </Text>
      )}
    </>
  )
}

/** Links to the incident, or to the list where a report is due in several. */
function linkOf(slug: string, { incident, vulnKey, incidents }: DeadlineGroup) {
  return incidents === 1 || vulnKey === null
    ? pages.incident(slug, incident.id)
    : pages.incidents(slug, { vulnerability: vulnKey })
}

function columnsIn(timeZone: string): Column<DeadlineGroup>[] {
  return [
    {
      id: 'due',
      header: 'Due',
      widthPx: 268,
      phoneWidthPx: 188,
      cell: ({ dueAt, status }) =>
        dueAt === null ? null : (
          <span className="two-lines roomy">
            <Countdown dueAt={dueAt} timeZone={timeZone} isSoon={status === 'due_soon'} withTime />
          </span>
        ),
    },
    {
      id: 'report',
      header: 'Report',
      widthPx: 200,
      from: 'sm',
      cell: ({ regime, report }) => (
        <span className="clip">
          {regimeNames[regime]} <span className="dimmed">{stageNames[report].toLowerCase()}</span>
        </span>
      ),
    },
    {
      id: 'incident',
      header: 'Incident',
      phoneWidthPx: 136,
      cell: (group) => <IncidentCell group={group} />,
    },
    {
      id: 'status',
      header: 'Status',
      widthPx: 116,
      from: 'md',
      cell: ({ status }) => <ReportStatusChip status={status} />,
    },
  ]
}

function IncidentCell({ group }: { group: DeadlineGroup }): ReactNode {
  const { incident, regime, report, incidents } = group
  const others = incidents === 1 ? null : `and ${formatCount(incidents - 1)} more`
  return (
    <span className="two-lines roomy">
      <span className="clip" title={visibleText(incident.title)}>
        {incident.reference} {others === null ? null : <strong className="wide-only">{others} </strong>}
        <span className="wide-only">
          <Foreign>{incident.title}</Foreign>
        </span>
      </span>
      {others === null ? null : <strong className="phone-only">{others}</strong>}
      <span className="phone-only">
        <span className="beginning" style={{ marginBlock: 0 }}>
          <Foreign>{incident.title}</Foreign>
        </span>
      </span>
      <span className="phone-only dimmed">
        {regimeNames[regime]} {stageNames[report].toLowerCase()}
      </span>
    </span>
  )
}
