import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { componentSorts, type ComponentRow, type ComponentSort } from '#contract/inventory/components.ts'
import type { ComponentScope } from '#contract/sbom/shapes.ts'
import { type SbomDetail } from '#contract/sbom/rows.ts'
import { exportComponents } from '#contract/export-operations.ts'
import { saveFile } from '../../kit/api/save-file.ts'
import { ExportMenu, type ExportFormat } from '../../kit/actions/ExportMenu.tsx'
import { listedRows } from '../../kit/api/listed.ts'
import { componentsQuery } from '../queries.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { present } from '../../kit/address/search.ts'
import type { SbomSearch } from '../area.ts'
import { pages } from '../../areas.ts'
import {
  copiedPurlColumn,
  findingsColumn,
  licenceColumn,
  nameColumn,
  versionColumn,
} from '../../components/component-columns.tsx'
import { Empty } from '../../kit/page/Empty.tsx'
import { scopeColumn, ScopeSelect } from '../../components/scope.tsx'
import { SearchField } from '../../kit/table/SearchField.tsx'
import type { Column } from '../../kit/table/column.ts'
import { ComponentDrawer } from './ComponentDrawer.tsx'
import { DecidabilityMark } from '../../sources/DecidabilityMark.tsx'
import { List } from '../../kit/table/List.tsx'
import { useSteps } from '../../kit/address/use-steps.ts'

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
  { ...scopeColumn<ComponentRow>(({ scope }) => scope), from: 'md' },
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

type ComponentsAddress = {
  search: string | undefined
  scope: ComponentScope | undefined
  sort: ComponentSort
  open: string | undefined
}

/** The address of this tab, without the default order. */
function searchOf({ search, scope, sort, open }: ComponentsAddress): SbomSearch {
  return present({
    tab: 'components' as const,
    search,
    scope,
    sort: sort === 'name' ? undefined : sort,
    component: open,
  })
}

/** The search, order and component in the address, and how to change them. */
function usePlace(sbomId: string) {
  const { slug } = useWorkspace()
  const { search, scope, sort, component } = useSearch({ from: '/signed-in/$slug/sboms/$sbom' })
  const place: ComponentsAddress = { search, scope, sort: orderOf(sort), open: component }
  const { linkTo, show } = useSteps(searchOf(place), (next: SbomSearch) => pages.sbom(slug, sbomId, next))
  return {
    place,
    addressOf: (change: Partial<ComponentsAddress>) => linkTo(searchOf({ ...place, ...change })),
    show: (change: Partial<ComponentsAddress>) => {
      show(searchOf({ ...place, ...change }))
    },
  }
}

function orderOf(word: string | undefined): ComponentSort {
  return componentSorts.find((choice) => choice === word) ?? 'name'
}

type ExportProps = {
  sbomId: string
  filter: { search?: string; scope?: ComponentScope; sort?: ComponentSort }
}

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
  const { search, scope, sort, open } = place
  const filter = present({ search, scope, sort })
  const components = listedRows(useInfiniteQuery(componentsQuery(slug, sbom.id, filter)))
  const { rows, total } = components
  // The file may name a component several times; the list shows it once.
  const noun =
    search === undefined && scope === undefined && total !== sbom.components
      ? 'distinct component'
      : 'component'

  return (
    <>
      <List
        list={components}
        note={{ noun }}
        filters={
          <ComponentFilters search={search} scope={scope} show={show}>
            <ExportComponents sbomId={sbom.id} filter={filter} />
          </ComponentFilters>
        }
        scrolls
        label="Components"
        columns={columns}
        rowId={({ number }) => String(number)}
        rowLink={({ number }) => addressOf({ open: String(number) })}
        openRow={open}
        sorting={{
          value: sort,
          onSort: (value) => {
            show({ sort: orderOf(value) })
          },
        }}
        empty={<EmptyComponents isSearched={search !== undefined || scope !== undefined} />}
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

type FilterProps = Pick<ComponentsAddress, 'search' | 'scope'> & {
  show: (change: Partial<ComponentsAddress>) => void
  children: ReactNode
}

function ComponentFilters({ search, scope, show, children }: FilterProps): ReactNode {
  return (
    <>
      <SearchField
        label="Search components"
        value={search}
        onSearch={(words) => {
          show({ search: words, open: undefined })
        }}
      />
      <ScopeSelect
        chosen={scope}
        onChoose={(next) => {
          show({ scope: next, open: undefined })
        }}
      />
      {children}
    </>
  )
}

function EmptyComponents({ isSearched }: { isSearched: boolean }): ReactNode {
  return <Empty why={isSearched ? 'No component matches.' : 'The SBOM contains no components.'} />
}
