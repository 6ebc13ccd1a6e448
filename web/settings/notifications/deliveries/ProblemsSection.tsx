import { NativeSelect, Text } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { DeliveryProblem, DestinationRow } from '#contract/alerts/shapes.ts'
import { visibleText } from '#contract/hidden-characters.ts'
import { destinationsQuery, problemsQuery } from '../queries.ts'
import { listedRows } from '../../../kit/api/listed.ts'
import { useWorkspace } from '../../../workspaces/use-workspace.ts'
import type { NotificationsSearch } from '../../area.ts'
import { pages } from '../../../areas.ts'
import { Empty } from '../../../kit/page/Empty.tsx'
import { Section } from '../../../kit/page/Section.tsx'
import { problemColumns } from './problem-columns.tsx'
import { ProblemDrawer } from './ProblemDrawer.tsx'
import { List } from '../../../kit/table/List.tsx'
import { useSteps } from '../../../kit/address/use-steps.ts'
import { present } from '../../../kit/address/search.ts'

/** Every failed post. Nothing removes one from the list, not even deleting its destination. */
export function ProblemsSection(): ReactNode {
  const { slug } = useWorkspace()
  const { failed, problem: open } = useSearch({ from: '/signed-in/$slug/settings/notifications' })
  const problems = listedRows(useInfiniteQuery(problemsQuery(slug, failed)))
  const { rows = [], total } = problems
  const place: NotificationsSearch = present({ failed })
  const { linkTo, show } = useSteps(place, (next: NotificationsSearch) => pages.notifications(slug, next))
  return (
    <Section title="Delivery problems">
      <Text c="dimmed" mb="sm" maw={760}>
        A post that fails is not sent again. It stays listed here even when its destination is removed.
      </Text>
      <List
        list={problems}
        note={{ count: problems.rows?.length, of: total, noun: 'problem' }}
        filters={
          <DestinationFilter
            failed={failed}
            rows={rows}
            onFilter={(destination) => {
              show(present({ failed: destination }))
            }}
          />
        }
        more="Show more problems"
        label="Delivery problems"
        columns={problemColumns}
        rowId={({ id }) => id}
        rowLink={({ id }) => linkTo({ ...place, problem: id })}
        openRow={open}
        empty={
          <Empty
            why={failed === undefined ? 'No post has failed.' : 'No post to this destination has failed.'}
          />
        }
      />
      <ProblemDrawer
        problem={rows.find(({ id }) => id === open)}
        onClose={() => {
          show(place)
        }}
      />
    </Section>
  )
}

type FilterProps = {
  failed: string | undefined
  rows: DeliveryProblem[]
  onFilter: (destination: string | undefined) => void
}

function DestinationFilter({ failed, rows, onFilter }: FilterProps): ReactNode {
  const { slug } = useWorkspace()
  const destinations = useQuery(destinationsQuery(slug))
  return (
    <NativeSelect
      aria-label="Problems of"
      size="xs"
      maw={320}
      value={failed ?? ''}
      data={choicesOf({ failed, destinations: destinations.data?.destinations ?? [], rows })}
      onChange={(event) => {
        const { value } = event.currentTarget
        onFilter(value === '' ? undefined : value)
      }}
    />
  )
}

type Known = { failed: string | undefined; destinations: DestinationRow[]; rows: DeliveryProblem[] }

/** Destinations in use, and deleted ones that the list has shown. */
function choicesOf({ failed, destinations, rows }: Known): { value: string; label: string }[] {
  const names = new Map(destinations.map(({ id, name }) => [id, visibleText(name)]))
  for (const { destination } of rows) {
    const { id, name, isRemoved } = destination
    if (isRemoved) names.set(id, visibleText(`${name} (removed)`))
  }
  if (failed !== undefined && !names.has(failed)) names.set(failed, 'A removed destination')
  return [{ value: '', label: 'All destinations' }, ...[...names].map(([value, label]) => ({ value, label }))]
}
