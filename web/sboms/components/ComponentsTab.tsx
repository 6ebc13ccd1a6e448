import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { componentSorts, type ComponentRow, type ComponentSort } from '#contract/inventory/components.ts'
import { type SbomDetail } from '#contract/sbom/rows.ts'
import { exportComponents } from '#contract/export-operations.ts'
import { saveFile } from '../../kit/api/save-file.ts'
import { ExportMenu, type ExportFormat } from '../../kit/actions/ExportMenu.tsx'
import { listedRows } from '../../kit/api/listed.ts'
import { componentsQuery } from '../queries.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { present } from '../../kit/address/search.ts'
import type { SbomSearch } from '../paths.ts'
import { pages } from '../../paths.ts'
import {
  copiedPurlColumn,
  findingsColumn,
  licenceColumn,
  nameColumn,
  versionColumn,
} from '../../components/component-columns.tsx'
import { Empty } from '../../kit/page/Empty.tsx'
import { Problem } from '../../kit/page/Problem.tsx'
import { SearchField } from '../../kit/table/SearchField.tsx'
import type { Column } from '../../kit/table/column.ts'
import { TableNote } from '../../kit/table/TableNote.tsx'
import { TableTools } from '../../kit/table/TableTools.tsx'
import { VirtualTable } from '../../kit/table/VirtualTable.tsx'
import { ComponentDrawer } from './ComponentDrawer.tsx'
import { DecidabilityMark } from '../../sources/DecidabilityMark.tsx'
import { filterStep } from '../../kit/address/filter-step.ts'

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

/** The address of this tab; the default order is left out. */
function searchOf({ search, sort, open }: Place): SbomSearch {
  return present({
    tab: 'components' as const,
    search,
    sort: sort === 'name' ? undefined : sort,
    component: open,
  })
}

/** What the address asks for, and the way to another search, order or component. */
function usePlace(sbomId: string) {
  const { slug } = useWorkspace()
  const navigate = useNavigate()
  const { search, sort, component } = useSearch({ from: '/signed-in/$slug/sboms/$sbom' })
  const place: Place = { search, sort: orderOf(sort), open: component }
  const addressOf = (change: Partial<Place>) => {
    const next = { ...place, ...change }
    return { ...pages.sbom(slug, sbomId, searchOf(next)), ...filterStep(searchOf(place), searchOf(next)) }
  }
  return {
    place,
    addressOf,
    show: (change: Partial<Place>) => {
      void navigate(addressOf(change))
    },
  }
}

function orderOf(word: string | undefined): ComponentSort {
  return componentSorts.find((choice) => choice === word) ?? 'name'
}

type ExportProps = { sbomId: string; filter: { search?: string; sort?: ComponentSort } }

function ExportComponents({ sbomId, filter }: ExportProps): ReactNode {
  const { slug } = useWorkspace()
  const save = (format: ExportFormat) =>
    saveFile(
      exportComponents,
      { params: { slug, sbom: sbomId }, query: { ...filter, format } },
      `components.${format}`,
    )
  return <ExportMenu what="components" save={save} />
}

/** Every component of an SBOM, and whether it could be judged. */
export function ComponentsTab({ sbom }: { sbom: SbomDetail }): ReactNode {
  const { slug } = useWorkspace()
  const { place, addressOf, show } = usePlace(sbom.id)
  const { search, sort, open } = place
  const components = useInfiniteQuery(componentsQuery(slug, sbom.id, present({ search, sort })))
  const { rows, total, onMore, onRetry } = listedRows(components)

  // The file may name one component several times; the list has each once.
  const noun = search === undefined && total !== sbom.components ? 'distinct component' : 'component'

  return (
    <>
      <TableTools
        filters={
          <>
            <SearchField
              label="Search components"
              value={search ?? ''}
              onSearch={(words) => {
                show({ search: words === '' ? undefined : words, open: undefined })
              }}
            />
            <ExportComponents sbomId={sbom.id} filter={present({ search, sort })} />
          </>
        }
        note={<TableNote count={total} noun={noun} updatedAtMs={components.dataUpdatedAt} />}
      />
      {components.error === null ? null : <Problem error={components.error} onRetry={onRetry} />}
      <VirtualTable
        label="Components"
        columns={columns}
        rows={rows}
        total={total ?? 0}
        rowId={({ number }) => String(number)}
        rowLink={({ number }) => addressOf({ open: String(number) })}
        openRow={open}
        sorting={{
          value: sort,
          onSort: (value) => {
            show({ sort: orderOf(value) })
          },
        }}
        empty={<EmptyComponents isSearched={search !== undefined} />}
        onMore={onMore}
      />
      <ComponentDrawer
        component={rows?.find(({ number }) => String(number) === open)}
        sbomId={sbom.id}
        onClose={() => {
          show({ open: undefined })
        }}
      />
    </>
  )
}

function EmptyComponents({ isSearched }: { isSearched: boolean }): ReactNode {
  return <Empty why={isSearched ? 'No component matches the search.' : 'The SBOM contains no components.'} />
}
