import { Group } from '@mantine/core'
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { destinationsQuery } from '../../../../api/alert-queries.ts'
import { useWorkspace } from '../../../../frame/use-workspace.ts'
import { pages } from '../../../../paths.ts'
import { Chip } from '../../../../ui/Chip.tsx'
import { Empty } from '../../../../ui/page/Empty.tsx'
import { Problem } from '../../../../ui/page/Problem.tsx'
import { Section } from '../../../../ui/page/Section.tsx'
import { DataTable } from '../../../../ui/table/DataTable.tsx'
import { TableNote } from '../../../../ui/table/TableNote.tsx'
import { destinationColumns } from './destination-columns.tsx'
import { DestinationDrawer } from './DestinationDrawer.tsx'

type Props = {
  /** The button that adds one. */
  add: ReactNode
}

/** Where alerts are posted, wherever it was added. */
export function DestinationsSection({ add }: Props): ReactNode {
  const { slug } = useWorkspace()
  const { destination: open, failed } = useSearch({ from: '/signed-in/$slug/settings/notifications' })
  const place = failed === undefined ? {} : { failed }
  const navigate = useNavigate()
  const list = useQuery(destinationsQuery(slug))
  const rows = list.data?.destinations
  return (
    <Section
      title="Destinations"
      aside={
        <Group gap="xs 20px">
          <Standstill canStore={list.data?.canStore ?? true} />
          <TableNote count={rows?.length} noun="destination" updatedAtMs={list.dataUpdatedAt} />
        </Group>
      }
    >
      {list.isError && list.data === undefined ? (
        <Problem
          error={list.error}
          onRetry={() => {
            void list.refetch()
          }}
        />
      ) : (
        <DataTable
          label="Alert destinations"
          columns={destinationColumns}
          rows={rows}
          rowId={({ id }) => id}
          rowLink={({ id }) => ({
            ...pages.notifications(slug, { ...place, destination: id }),
            replace: true,
            resetScroll: false,
          })}
          openRow={open}
          empty={
            <Empty
              why="Nothing is posted anywhere yet. Tell a Slack or Teams channel, or an endpoint of your own, when an incident opens or a deadline comes near."
              next={add}
            />
          }
        />
      )}
      <DestinationDrawer
        destination={rows?.find(({ id }) => id === open)}
        canStore={list.data?.canStore ?? true}
        onClose={() => {
          void navigate({ ...pages.notifications(slug, place), replace: true, resetScroll: false })
        }}
      />
    </Section>
  )
}

/** Why nothing is posted, or nothing can be added. A workspace that is read-only says so itself, above every page. */
function Standstill({ canStore }: { canStore: boolean }): ReactNode {
  const { state } = useWorkspace()
  if (!canStore) {
    return (
      <Chip tone="warn" Icon={IconAlertTriangle}>
        <span style={{ whiteSpace: 'normal' }}>
          Nothing can be added or posted: the service has no encryption key. Its operator has to set it.
        </span>
      </Chip>
    )
  }
  if (state !== 'starter') return null
  return (
    <Chip tone="warn" Icon={IconInfoCircle}>
      <span style={{ whiteSpace: 'normal' }}>
        Starter posts nothing. Destinations are kept for Core and Plus.
      </span>
    </Chip>
  )
}
