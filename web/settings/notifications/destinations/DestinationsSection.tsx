import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { destinationsQuery } from '../queries.ts'
import { useWorkspace } from '../../../workspaces/use-workspace.ts'
import { pages } from '../../../areas.ts'
import { Empty } from '../../../kit/page/Empty.tsx'
import { Section } from '../../../kit/page/Section.tsx'
import { DataTable } from '../../../kit/table/DataTable.tsx'
import { TableNote } from '../../../kit/table/TableNote.tsx'
import { destinationColumns } from './destination-columns.tsx'
import { DestinationDrawer } from './DestinationDrawer.tsx'
import { useSteps } from '../../../kit/address/use-steps.ts'
import { present } from '../../../kit/address/search.ts'
import { isMissing, QueryProblem } from '../../../kit/page/Loaded.tsx'
import type { NotificationsSearch } from '../../area.ts'

type Props = {
  /** The button that adds one. */
  add: ReactNode
}

/** All destinations, wherever they were added. */
export function DestinationsSection({ add }: Props): ReactNode {
  const { slug } = useWorkspace()
  const { destination: open, failed } = useSearch({ from: '/signed-in/$slug/settings/notifications' })
  const place: NotificationsSearch = present({ failed })
  const { linkTo, show } = useSteps(place, (next: NotificationsSearch) => pages.notifications(slug, next))
  const list = useQuery(destinationsQuery(slug))
  const rows = list.data?.destinations
  return (
    <Section
      title="Destinations"
      aside={<TableNote count={rows?.length} noun="destination" updatedAtMs={list.dataUpdatedAt} />}
    >
      {isMissing(list) ? (
        <QueryProblem query={list} />
      ) : (
        <DataTable
          label="Alert destinations"
          columns={destinationColumns}
          rows={rows}
          rowId={({ id }) => id}
          rowLink={({ id }) => linkTo({ ...place, destination: id })}
          openRow={open}
          empty={
            <Empty
              why="Nothing is posted anywhere yet. Tell a Slack or Teams channel, or an endpoint of your own, when an incident opens or a deadline is near."
              next={add}
            />
          }
        />
      )}
      <DestinationDrawer
        destination={rows?.find(({ id }) => id === open)}
        canStore={list.data?.canStore ?? true}
        onClose={() => {
          show(place)
        }}
      />
    </Section>
  )
}
