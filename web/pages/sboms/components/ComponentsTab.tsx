import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import {
  componentSorts,
  type ComponentRow,
  type ComponentSort,
  type SbomDetail,
} from '../../../../src/contract/app.ts'
import { listedRows } from '../../../api/listed.ts'
import { componentsQuery } from '../../../api/queries.ts'
import { useWorkspace } from '../../../frame/use-workspace.ts'
import { present, type SbomSearch } from '../../../page-search.ts'
import { pages } from '../../../paths.ts'
import {
  copiedPurlColumn,
  findingsColumn,
  licenceColumn,
  nameColumn,
  versionColumn,
} from '../../../ui/components/component-columns.tsx'
import { Empty } from '../../../ui/page/Empty.tsx'
import { Problem } from '../../../ui/page/Problem.tsx'
import { SearchField } from '../../../ui/SearchField.tsx'
import type { Column } from '../../../ui/table/column.ts'
import { TableNote } from '../../../ui/table/TableNote.tsx'
import { TableTools } from '../../../ui/table/TableTools.tsx'
import { VirtualTable } from '../../../ui/table/VirtualTable.tsx'
import { ComponentDrawer } from './ComponentDrawer.tsx'
import { DecidabilityMark } from '../../../ui/coverage/DecidabilityMark.tsx'

const columns: Column<ComponentRow>[] = [
  {
    ...nameColumn,
    sorts: [
      { value: 'name', direction: 'ascending' },
      { value: '-name', direction: 'descending' },
    ],
  },
  versionColumn,
  copiedPurlColumn,
  licenceColumn,
  {
    id: 'state',
    header: 'Coverage',
    widthPx: 150,
    from: 'sm',
    cell: (row) => <DecidabilityMark state={row.decidability} />,
  },
  {
    ...findingsColumn,
    widthPx: 104,
    phoneWidthPx: 96,
    sorts: [{ value: 'findings', direction: 'descending' }],
  },
]

type Place = { search: string | undefined; sort: ComponentSort; open: string | undefined }

function usePlace(): Place {
  const { search, sort, component } = useSearch({ from: '/signed-in/$slug/sboms/$sbom' })
  return { search, sort: componentSorts.find((choice) => choice === sort) ?? 'name', open: component }
}

/** The address of this tab; the default order is left out. */
function searchOf({ search, sort, open }: Place): SbomSearch {
  return present({
    tab: 'components' as const,
    search,
    sort: sort === 'name' ? undefined : sort,
    component: open,
  })
}

/** Every component of an SBOM, and whether it could be judged. */
export function ComponentsTab({ sbom }: { sbom: SbomDetail }): ReactNode {
  const { slug } = useWorkspace()
  const navigate = useNavigate()
  const place = usePlace()
  const components = useInfiniteQuery(
    componentsQuery(slug, sbom.id, present({ search: place.search, sort: place.sort })),
  )
  const { rows, total, onMore, onRetry } = listedRows(components)

  // The file may name one component several times; the list has each once.
  const isDistinct = place.search === undefined && total !== sbom.components

  function addressOf(change: Partial<Place>) {
    return {
      ...pages.sbom(slug, sbom.id, searchOf({ ...place, ...change })),
      replace: true,
      resetScroll: false,
    }
  }

  return (
    <>
      <TableTools
        filters={
          <SearchField
            label="Search components"
            value={place.search ?? ''}
            onSearch={(words) => {
              void navigate(addressOf({ search: words === '' ? undefined : words, open: undefined }))
            }}
          />
        }
        note={
          <TableNote
            count={total}
            noun={isDistinct ? 'distinct component' : 'component'}
            updatedAtMs={components.dataUpdatedAt}
          />
        }
      />
      {components.error === null ? null : <Problem error={components.error} onRetry={onRetry} />}
      <VirtualTable
        label="Components"
        columns={columns}
        rows={rows}
        total={total ?? 0}
        rowId={({ number }) => String(number)}
        rowLink={({ number }) => addressOf({ open: String(number) })}
        openRow={place.open}
        sorting={{
          value: place.sort,
          onSort: (value) => {
            void navigate(addressOf({ sort: componentSorts.find((choice) => choice === value) ?? 'name' }))
          },
        }}
        empty={
          <Empty
            why={
              place.search === undefined
                ? 'The SBOM contains no components.'
                : 'No component matches the search.'
            }
          />
        }
        onMore={onMore}
      />
      <ComponentDrawer
        component={rows?.find(({ number }) => String(number) === place.open)}
        sbomId={sbom.id}
        onClose={() => {
          void navigate(addressOf({ open: undefined }))
        }}
      />
    </>
  )
}
