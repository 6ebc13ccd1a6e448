import { NameVersion } from '../kit/text/NameVersion.tsx'
import { visibleText } from '#contract/hidden-characters.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { exportComponentUses } from '#contract/export-operations.ts'
import { ExportMenu, type ExportFormat } from '../kit/actions/ExportMenu.tsx'
import type { ComponentUse } from '#contract/inventory/shapes.ts'
import { listComponentUses } from '#contract/inventory/operations.ts'
import { pagesOf } from '../kit/api/query-of.ts'
import { saveFile } from '../kit/api/save-file.ts'
import { listedRows } from '../kit/api/listed.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { present } from '../kit/address/search.ts'
import type { ComponentsSearch } from './area.ts'
import { pages } from '../areas.ts'
import { findingsColumn, licenceColumn, nameColumn, purlColumn, versionColumn } from './component-columns.tsx'
import { Empty } from '../kit/page/Empty.tsx'
import { FilterChips } from '../kit/table/FilterChips.tsx'
import { TextLink } from '../kit/text/links.tsx'
import { SearchField } from '../kit/table/SearchField.tsx'
import type { Column } from '../kit/table/column.ts'
import { hashIn } from './hash-in.ts'
import { ListPage } from '../kit/page/ListPage.tsx'
import { useSteps } from '../kit/address/use-steps.ts'

const columns: Column<ComponentUse>[] = [
  nameColumn,
  versionColumn,
  {
    id: 'family',
    header: 'Used in',
    phoneWidthPx: 108,
    cell: ({ family, productVersion }) => <NameVersion name={family.name} version={productVersion} />,
  },
  purlColumn,
  licenceColumn,
  { ...findingsColumn, from: 'sm' },
]

function EmptyComponents({ isFiltered }: { isFiltered: boolean }): ReactNode {
  const { slug } = useWorkspace()
  return isFiltered ? (
    <Empty
      why="No active SBOM has a matching component."
      next={<TextLink {...pages.components(slug)}>Show all components</TextLink>}
    />
  ) : (
    <Empty
      why="No SBOM has been uploaded yet."
      next={<TextLink {...pages.families(slug)}>Open the families</TextLink>}
    />
  )
}

type FiltersProps = { filter: ComponentsSearch; show: (next: ComponentsSearch) => void }

/** A typed hash is searched as a hash; it stays as a filter until it is cleared. */
function ComponentFilters({ filter, show }: FiltersProps): ReactNode {
  return (
    <>
      <SearchField
        key={filter.hash ?? ''}
        label="Search components"
        value={filter.search}
        onSearch={(search) => {
          const hash = hashIn(search ?? '')
          show(hash === undefined ? present({ ...filter, search }) : { hash })
        }}
      />
      {filter.hash === undefined ? null : (
        <FilterChips
          label="Filters"
          choices={[
            {
              id: 'hash',
              label: visibleText(`Hash ${filter.hash.slice(0, 16)}…`),
              pressed: true,
              onToggle: () => {
                show(present({ search: filter.search }))
              },
            },
          ]}
        />
      )}
    </>
  )
}

/** Every component in any product now, and where it is used. */
export default function ComponentsPage(): ReactNode {
  const { slug } = useWorkspace()
  const filter = useSearch({ from: '/signed-in/$slug/components' })
  const { show } = useSteps(filter, (next: ComponentsSearch) => pages.components(slug, next))
  const components = listedRows(
    useInfiniteQuery(pagesOf(listComponentUses, { params: { slug }, query: filter })),
  )
  const save = (format: ExportFormat) =>
    saveFile(exportComponentUses, { params: { slug }, query: { ...filter, format } }, `components.${format}`)
  return (
    <ListPage
      title="Components"
      about="Components in the active SBOMs of all product families. Search by name, version, purl or hash."
      actions={<ExportMenu what="components" save={save} />}
      list={components}
      note={{ noun: 'use', isLowerBound: components.first?.isLowerBound === true }}
      filters={<ComponentFilters filter={filter} show={show} />}
      scrolls
      label="Components"
      columns={columns}
      rowId={({ sbomId, number }) => `${sbomId} ${number}`}
      rowLink={({ sbomId, number, name }) =>
        pages.sbom(slug, sbomId, { tab: 'components', search: name, component: String(number) })
      }
      empty={<EmptyComponents isFiltered={Object.keys(filter).length > 0} />}
    />
  )
}
