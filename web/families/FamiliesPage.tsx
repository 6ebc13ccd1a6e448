import { IconArchive, IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { createFamily } from '#contract/products/operations.ts'
import { familySorts, type FamilyRow } from '#contract/products/shapes.ts'
import { refusal } from '../workspaces/access.ts'
import { listedRows } from '../kit/api/listed.ts'
import { familiesQuery, type FamilyFilter } from './queries.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { present } from '../kit/address/search.ts'
import type { FamiliesSearch } from './area.ts'
import { pages } from '../areas.ts'
import { ActionButton } from '../kit/actions/ActionButton.tsx'
import { Chip } from '../kit/text/Chip.tsx'
import { Empty } from '../kit/page/Empty.tsx'
import { FilterChips } from '../kit/table/FilterChips.tsx'
import { CutForeign } from '../kit/text/Foreign.tsx'
import { formatCount } from '../kit/text/format.ts'
import { findingColumns } from '../findings/finding-columns.tsx'
import { TextLink } from '../kit/text/links.tsx'
import { SearchField } from '../kit/table/SearchField.tsx'
import type { Column, SortStep } from '../kit/table/column.ts'
import { Age } from '../kit/time/Time.tsx'
import { CreateFamilyModal } from './CreateFamilyModal.tsx'
import { FamilyMenu } from './FamilyMenu.tsx'
import { ListPage } from '../kit/page/ListPage.tsx'
import { useSteps } from '../kit/address/use-steps.ts'
import { sortingBy } from '../kit/table/sorting-by.ts'

type EmptyProps = { filter: FamilyFilter; onCreate: ReactNode }

function EmptyFamilies({ filter, onCreate }: EmptyProps): ReactNode {
  const { search } = filter
  const archived = filter.archived === true
  const { slug } = useWorkspace()
  if (search !== undefined) {
    return (
      <Empty
        why={archived ? 'No archived family has a matching name.' : 'No family has a matching name.'}
        next={
          <TextLink {...pages.families(slug, archived ? { archived: true } : {})} resetScroll={false}>
            {archived ? 'Show all archived families' : 'Show all families'}
          </TextLink>
        }
      />
    )
  }
  if (archived) return <Empty why="There are no archived families." />
  return (
    <Empty
      why="There are no families yet. A family is a product you sell; each of its versions has one SBOM."
      next={onCreate}
    />
  )
}

const countSorts: Record<string, SortStep[]> = {
  malware: [{ value: 'malware', direction: 'descending' }],
  exploited: [{ value: 'exploited', direction: 'descending' }],
  total: [{ value: 'findings', direction: 'descending' }],
  severities: [{ value: 'severity', direction: 'descending' }],
}

const columns: Column<FamilyRow>[] = [
  {
    id: 'name',
    header: 'Family',
    sorts: [
      { value: 'name', direction: 'ascending' },
      { value: '-name', direction: 'descending' },
    ],
    cell: ({ name, archivedAt }) => (
      <>
        <CutForeign>{name}</CutForeign>
        {archivedAt === null ? null : (
          <Chip tone="neutral" Icon={IconArchive}>
            archived
          </Chip>
        )}
      </>
    ),
  },
  {
    id: 'versions',
    header: 'Versions',
    widthPx: 90,
    align: 'right',
    from: 'md',
    cell: (row) => formatCount(row.activeVersions),
  },
  {
    id: 'sboms',
    header: 'Active SBOMs',
    widthPx: 110,
    align: 'right',
    from: 'xl',
    cell: (row) => formatCount(row.activeSboms),
  },
  ...findingColumns<FamilyRow>({
    countsOf: ({ findings }) => findings,
    judgedOf: ({ judged }) => judged,
  }).map((column) => {
    const sorts = countSorts[column.id]
    return sorts === undefined ? column : { ...column, sorts }
  }),
  {
    id: 'upload',
    header: 'Last upload',
    sorts: [
      { value: 'upload', direction: 'descending' },
      { value: '-upload', direction: 'ascending' },
    ],
    widthPx: 116,
    from: 'md',
    cell: ({ lastUploadAt }) =>
      lastUploadAt === null ? <span className="dimmed">never</span> : <Age at={lastUploadAt} />,
  },
  {
    id: 'menu',
    header: 'Actions',
    hidesHeader: true,
    widthPx: 48,
    from: 'sm',
    align: 'right',
    cell: (row) => <FamilyMenu family={row} />,
  },
]

function CreateFamily({ onClick }: { onClick: () => void }): ReactNode {
  const workspace = useWorkspace()
  return (
    <ActionButton
      leftSection={<IconPlus size={16} />}
      refused={refusal(workspace, createFamily.permission)}
      onClick={onClick}
    >
      Create family
    </ActionButton>
  )
}

/** Every product family of the workspace, with open findings of its active versions. */
export default function FamiliesPage(): ReactNode {
  const workspace = useWorkspace()
  const { slug } = workspace
  const { dialog, ...filter } = useSearch({ from: '/signed-in/$slug/families' })
  const navigate = useNavigate()
  const { show } = useSteps(filter, (next: FamiliesSearch) => pages.families(slug, next))
  const families = listedRows(useInfiniteQuery(familiesQuery(slug, filter)))
  const createButton = (
    <CreateFamily
      onClick={() => {
        void navigate(pages.families(slug, { ...filter, dialog: 'create' }))
      }}
    />
  )
  return (
    <ListPage
      title="Families"
      actions={createButton}
      list={families}
      note={{ noun: 'family', nouns: 'families', of: families.first?.all }}
      filters={<FamilyFilters filter={filter} onFilter={show} />}
      scrolls
      tableKey={JSON.stringify(filter)}
      label="Families"
      columns={columns}
      rowId={({ id }) => id}
      rowLink={({ id }) => pages.family(slug, id)}
      sorting={sortingBy({
        sorts: familySorts,
        sort: filter.sort,
        usual: 'name',
        onSort: (sort) => {
          show(present({ ...filter, sort }))
        },
      })}
      empty={<EmptyFamilies filter={filter} onCreate={createButton} />}
    >
      <CreateFamilyModal
        opened={dialog === 'create' && refusal(workspace, createFamily.permission) === undefined}
        onClose={() => {
          show(filter)
        }}
      />
    </ListPage>
  )
}

type FilterProps = { filter: FamilyFilter; onFilter: (filter: FamilyFilter) => void }

function FamilyFilters({ filter, onFilter }: FilterProps): ReactNode {
  const { archived, search, sort } = filter
  return (
    <>
      <SearchField
        label="Search families"
        value={search}
        onSearch={(words) => {
          onFilter(present({ ...filter, search: words }))
        }}
      />
      <FilterChips
        label="Filters"
        choices={[
          {
            id: 'archived',
            label: 'Archived',
            pressed: archived === true,
            onToggle: () => {
              onFilter(present({ archived: archived === true ? undefined : (true as const), search, sort }))
            },
          },
        ]}
      />
    </>
  )
}
