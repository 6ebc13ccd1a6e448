import { Group, Text } from '@mantine/core'
import { IconCircleCheckFilled, IconXboxXFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ConnectorRefusal, ConnectorReport } from '../../../src/contract/connector.ts'
import { errorCodes } from '../../../src/contract/errors.ts'
import { connectorQuery } from '../../api/vex-queries.ts'
import { useWorkspace } from '../../frame/use-workspace.ts'
import { Chip } from '../../ui/Chip.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { formatBytes, formatCount } from '../../ui/format.ts'
import { Problem } from '../../ui/Problem.tsx'
import { Section } from '../../ui/Section.tsx'
import type { Column } from '../../ui/table/column.ts'
import { DataTable } from '../../ui/table/DataTable.tsx'
import { TableNote } from '../../ui/table/TableNote.tsx'
import { Moment, ZonedTime } from '../../ui/Time.tsx'

const columns: Column<ConnectorRefusal>[] = [
  {
    id: 'at',
    header: 'Time',
    widthPx: 150,
    phoneWidthPx: 110,
    cell: ({ at, times }) => (
      <span className="clip">
        <Moment at={at} /> {times > 1 ? <span className="dimmed">{formatCount(times)} times</span> : null}
      </span>
    ),
  },
  {
    id: 'project',
    header: 'Project',
    widthPx: 170,
    from: 'sm',
    cell: ({ projectName, projectVersion }) =>
      projectName === null ? (
        <span className="dimmed">not read</span>
      ) : (
        <span className="clip">
          {projectName} <span className="dimmed">{projectVersion}</span>
        </span>
      ),
  },
  {
    id: 'reason',
    header: 'Reason',
    cell: ({ error, status, detail }) => {
      const words = [errorCodes[error].message, detail].filter((part) => part !== null).join(' ')
      return (
        <span className="clip" title={`${status} ${error}: ${words}`}>
          {words}
        </span>
      )
    },
  },
  {
    id: 'group',
    header: 'Group',
    widthPx: 140,
    from: 'md',
    cell: ({ group }) => (group === null ? <span className="dimmed">not read</span> : <code>{group}</code>),
  },
  {
    id: 'size',
    header: 'Size',
    widthPx: 84,
    from: 'lg',
    align: 'right',
    cell: ({ sizeBytes }) =>
      sizeBytes === null ? <span className="dimmed">–</span> : formatBytes(sizeBytes),
  },
  {
    id: 'token',
    header: 'Token',
    widthPx: 110,
    from: 'lg',
    cell: ({ tokenName }) => <span className="clip">{tokenName}</span>,
  },
  {
    id: 'state',
    header: 'State',
    widthPx: 100,
    phoneWidthPx: 92,
    cell: ({ resolvedAt }) =>
      resolvedAt === null ? (
        <Chip tone="bad" Icon={IconXboxXFilled} title="No BOM of this project has been taken since">
          open
        </Chip>
      ) : (
        <Chip tone="good" Icon={IconCircleCheckFilled} title="A BOM of this project was taken after it">
          settled
        </Chip>
      ),
  },
]

type Props = { familyId: string; familyName: string }

/** What the platform was answered: it shows its own users nothing of that. */
export function ConnectorReportSection({ familyId, familyName }: Props): ReactNode {
  const { slug } = useWorkspace()
  const report = useQuery(connectorQuery(slug, familyId))
  return (
    <Section
      title="Refused requests"
      aside={
        <Group gap="md">
          <Unresolved count={report.data?.unresolved ?? 0} />
          <TableNote count={report.data?.refusals.length} noun="refusal" updatedAtMs={report.dataUpdatedAt} />
        </Group>
      }
    >
      <Text c="dimmed" mb="sm" maw={760}>
        Dependency-Track shows its users no answer and sends nothing twice, so a refused BOM is lost until the
        next upload there. Each refusal is listed here.
      </Text>
      <LastTest lastTest={report.data?.lastTest ?? null} />
      {report.isError && report.data === undefined ? (
        <Problem
          error={report.error}
          onRetry={() => {
            void report.refetch()
          }}
        />
      ) : (
        <DataTable
          label="Refused connector requests"
          columns={columns}
          rows={report.data?.refusals}
          rowId={({ id }) => id}
          empty={<Empty why={`Nothing that was sent with a token of ${familyName} has been refused.`} />}
        />
      )}
    </Section>
  )
}

function Unresolved({ count }: { count: number }): ReactNode {
  if (count === 0) return null
  return (
    <Chip
      tone="bad"
      Icon={IconXboxXFilled}
      title="Projects whose BOM has not been taken since it was refused"
    >
      {formatCount(count)} open
    </Chip>
  )
}

function LastTest({ lastTest }: Pick<ConnectorReport, 'lastTest'>): ReactNode {
  if (lastTest === null) return null
  return (
    <Text mb="sm">
      <IconCircleCheckFilled
        size={16}
        aria-hidden
        style={{ color: 'var(--good)', verticalAlign: -3, marginInlineEnd: 6 }}
      />
      A test of <code>{lastTest.group}</code> arrived on <ZonedTime at={lastTest.at} /> with the token{' '}
      {lastTest.tokenName}.
    </Text>
  )
}
