import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { listDependencies } from '#contract/dependencies/operations.ts'
import { dependenciesQuery } from './queries.ts'
import { listedRows } from '../../kit/api/listed.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import type { Filter } from '../../kit/address/search.ts'
import { Empty } from '../../kit/page/Empty.tsx'
import { Problem } from '../../kit/page/Problem.tsx'
import { VirtualTable } from '../../kit/table/VirtualTable.tsx'
import { dependencyColumns } from './dependency-columns.tsx'
import { useDependenciesPlace } from './use-dependencies-place.ts'

type Props = { label: string; sbomId: string; filter: Filter<typeof listDependencies> }

/** Components as a list: search hits, or those no path reaches. */
export function DependencyTable({ label, sbomId, filter }: Props): ReactNode {
  const { slug } = useWorkspace()
  const { place, addressOf } = useDependenciesPlace(sbomId)
  const found = listedRows(useInfiniteQuery(dependenciesQuery(slug, sbomId, filter)))
  const { rows, total, onMore, onRetry } = found
  return (
    <>
      <Problem error={found.error} onRetry={onRetry} />
      <VirtualTable
        label={label}
        columns={dependencyColumns}
        rows={rows}
        total={total ?? 0}
        rowId={({ number }) => String(number)}
        rowLink={({ number }) => addressOf({ component: String(number) })}
        openRow={place.component}
        empty={<Empty why="No component matches the search." />}
        onMore={onMore}
      />
    </>
  )
}
