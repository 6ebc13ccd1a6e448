import { Foreign } from '../../kit/text/Foreign.tsx'
import { Group, Text } from '@mantine/core'
import { IconCircleCheckFilled, IconXboxXFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ConnectorReport } from '#contract/connector/shapes.ts'
import { connectorQuery } from '../queries.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { pages } from '../../areas.ts'
import { Chip } from '../../kit/text/Chip.tsx'
import { Empty } from '../../kit/page/Empty.tsx'
import { formatCount } from '../../kit/text/format.ts'
import { Section } from '../../kit/page/Section.tsx'
import { DataTable } from '../../kit/table/DataTable.tsx'
import { TableNote } from '../../kit/table/TableNote.tsx'
import { ZonedTime } from '../../kit/time/Time.tsx'
import { RefusalDrawer } from './RefusalDrawer.tsx'
import { refusalColumns } from './refusal-columns.tsx'
import { useSteps } from '../../kit/address/use-steps.ts'
import { isMissing, QueryProblem } from '../../kit/page/Loaded.tsx'
import type { ConnectorSearch } from '../area.ts'

type Props = { familyId: string; familyName: string }

/** The answers Dependency-Track got: it does not show them to its users. */
export function ConnectorReportSection({ familyId, familyName }: Props): ReactNode {
  const { slug } = useWorkspace()
  const { refusal: open } = useSearch({ from: '/signed-in/$slug/settings/connector' })
  const place: ConnectorSearch = { family: familyId }
  const { linkTo, show } = useSteps(place, (next: ConnectorSearch) => pages.connector(slug, next))
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
        Dependency-Track does not show answers to its users and does not retry, so a refused BOM is lost until
        the next upload there. Each refusal is listed here.
      </Text>
      <LastTest lastTest={report.data?.lastTest ?? null} />
      {isMissing(report) ? (
        <QueryProblem query={report} />
      ) : (
        <DataTable
          label="Refused connector requests"
          columns={refusalColumns}
          rows={report.data?.refusals}
          rowId={({ id }) => id}
          rowLink={({ id }) => linkTo({ ...place, refusal: id })}
          openRow={open}
          empty={<Empty why={`Nothing that was sent with a token of ${familyName} has been refused.`} />}
        />
      )}
      <RefusalDrawer
        familyId={familyId}
        refusal={report.data?.refusals.find(({ id }) => id === open)}
        onClose={() => {
          show(place)
        }}
      />
    </Section>
  )
}

function Unresolved({ count }: { count: number }): ReactNode {
  if (count === 0) return null
  return (
    <Chip
      tone="bad"
      Icon={IconXboxXFilled}
      title="Requests whose BOM has not been accepted since, or that did not name their project"
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
      A test of{' '}
      <code>
        <Foreign>{lastTest.group}</Foreign>
      </code>{' '}
      arrived on <ZonedTime at={lastTest.at} /> with the token <Foreign>{lastTest.tokenName}</Foreign>.
    </Text>
  )
}
