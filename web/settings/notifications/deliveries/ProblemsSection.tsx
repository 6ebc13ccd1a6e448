import { NativeSelect, Text } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { DeliveryProblem, DestinationRow } from '#contract/alerts/shapes.ts'
import { visibleText } from '#contract/hidden-characters.ts'
import { destinationsQuery, problemsQuery } from '../queries.ts'
import { listedRows } from '../../../kit/api/listed.ts'
import { useWorkspace } from '../../../workspaces/use-workspace.ts'
import type { NotificationsSearch } from '../../paths.ts'
import { pages } from '../../../paths.ts'
import { MoreButton } from '../../../kit/actions/MoreButton.tsx'
import { Empty } from '../../../kit/page/Empty.tsx'
import { Problem } from '../../../kit/page/Problem.tsx'
import { Section } from '../../../kit/page/Section.tsx'
import { DataTable } from '../../../kit/table/DataTable.tsx'
import { TableNote } from '../../../kit/table/TableNote.tsx'
import { TableTools } from '../../../kit/table/TableTools.tsx'
import { problemColumns } from './problem-columns.tsx'
import { ProblemDrawer } from './ProblemDrawer.tsx'
import { filterStep } from '../../../kit/address/filter-step.ts'

/** Every post that failed. Nothing takes one off the list, not even the removal of its destination. */
export function ProblemsSection(): ReactNode {
  const { slug } = useWorkspace()
  const { failed, problem: open } = useSearch({ from: '/signed-in/$slug/settings/notifications' })
  const navigate = useNavigate()
  const problems = useInfiniteQuery(problemsQuery(slug, failed))
  const { rows, total, onMore, onRetry } = listedRows(problems)
  const place: NotificationsSearch = failed === undefined ? {} : { failed }

  function show(search: NotificationsSearch): void {
    void navigate({ ...pages.notifications(slug, search), ...filterStep(place, search) })
  }

  return (
    <Section title="Delivery problems">
      <Text c="dimmed" mb="sm" maw={760}>
        A post that fails is not sent again. It stays listed here, also when its destination is removed.
      </Text>
      <TableTools
        filters={
          <DestinationFilter
            failed={failed}
            rows={rows ?? []}
            onFilter={(destination) => {
              show(destination === undefined ? {} : { failed: destination })
            }}
          />
        }
        note={
          <TableNote count={rows?.length} of={total} noun="problem" updatedAtMs={problems.dataUpdatedAt} />
        }
      />
      {problems.isError && problems.data === undefined ? (
        <Problem error={problems.error} onRetry={onRetry} />
      ) : (
        <DataTable
          label="Delivery problems"
          columns={problemColumns}
          rows={rows}
          rowId={({ id }) => id}
          rowLink={({ id }) => ({
            ...pages.notifications(slug, { ...place, problem: id }),
            replace: true,
            resetScroll: false,
          })}
          openRow={open}
          empty={
            <Empty
              why={failed === undefined ? 'No post has failed.' : 'No post to this destination has failed.'}
            />
          }
        />
      )}
      <MoreButton onMore={onMore} isLoading={problems.isFetchingNextPage}>
        Show more problems
      </MoreButton>
      <ProblemDrawer
        problem={rows?.find(({ id }) => id === open)}
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

/** Those in use, and removed ones that the list has shown. */
function choicesOf({ failed, destinations, rows }: Known): { value: string; label: string }[] {
  const names = new Map(destinations.map(({ id, name }) => [id, visibleText(name)]))
  for (const { destination } of rows) {
    const { id, name, isRemoved } = destination
    if (isRemoved) names.set(id, visibleText(`${name} (removed)`))
  }
  if (failed !== undefined && !names.has(failed)) names.set(failed, 'A removed destination')
  return [{ value: '', label: 'All destinations' }, ...[...names].map(([value, label]) => ({ value, label }))]
}
