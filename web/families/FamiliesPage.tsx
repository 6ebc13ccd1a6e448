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
import type { FamiliesSearch } from './paths.ts'
import { pages } from '../paths.ts'
import { ActionButton } from '../kit/actions/ActionButton.tsx'
import { Chip } from '../kit/text/Chip.tsx'
import { Empty } from '../kit/page/Empty.tsx'
import { FilterChips } from '../kit/table/FilterChips.tsx'
import { Foreign } from '../kit/text/Foreign.tsx'
import { formatCount } from '../kit/text/format.ts'
import { findingColumns } from '../findings/finding-columns.tsx'
import { TextLink } from '../kit/text/links.tsx'
import { PageHeader } from '../kit/page/PageHeader.tsx'
import { Problem } from '../kit/page/Problem.tsx'
import { SearchField } from '../kit/table/SearchField.tsx'
import type { Column, SortStep } from '../kit/table/column.ts'
import { TableNote } from '../kit/table/TableNote.tsx'
import { TableTools } from '../kit/table/TableTools.tsx'
import { VirtualTable } from '../kit/table/VirtualTable.tsx'
import { Age } from '../kit/time/Time.tsx'
import { CreateFamilyModal } from './CreateFamilyModal.tsx'
import { FamilyMenu } from './FamilyMenu.tsx'
import { filterStep } from '../kit/address/filter-step.ts'

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
        <span className="clip">
          <Foreign>{name}</Foreign>
        </span>
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

/** What the address asks for, and the way to another filter or order. */
function useAsked() {
  const workspace = useWorkspace()
  const { slug } = workspace
  const { dialog, ...filter } = useSearch({ from: '/signed-in/$slug/families' })
  const navigate = useNavigate()
  return {
    filter,
    isCreating: dialog === 'create' && refusal(workspace, createFamily.permission) === undefined,
    show: (next: FamiliesSearch) => {
      void navigate({ ...pages.families(slug, next), ...filterStep(filter, next) })
    },
    create: () => {
      void navigate(pages.families(slug, { ...filter, dialog: 'create' }))
    },
  }
}

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

/** Every product family of the workspace, with the open findings of its active versions. */
export default function FamiliesPage(): ReactNode {
  const { slug } = useWorkspace()
  const { filter, isCreating, show, create } = useAsked()
  const { archived, search, sort = 'name' } = filter
  const families = useInfiniteQuery(familiesQuery(slug, filter))
  const { rows, total, onMore, onRetry } = listedRows(families)
  const createButton = <CreateFamily onClick={create} />

  return (
    <>
      <PageHeader title="Families" actions={createButton} />
      <TableTools
        filters={<FamilyFilters filter={filter} onFilter={show} />}
        note={
          <TableNote
            count={total}
            of={families.data?.pages[0]?.all}
            noun="family"
            nouns="families"
            updatedAtMs={families.dataUpdatedAt}
          />
        }
      />
      {families.error === null ? null : <Problem error={families.error} onRetry={onRetry} />}
      <VirtualTable
        // a new order begins at the top
        key={JSON.stringify([archived, search, sort])}
        label="Families"
        columns={columns}
        rows={rows}
        total={total ?? 0}
        rowId={({ id }) => id}
        rowLink={({ id }) => pages.family(slug, id)}
        openRow={undefined}
        sorting={{
          value: sort,
          onSort: (value) => {
            const next = familySorts.find((choice) => choice === value)
            show(present({ archived, search, sort: next === 'name' ? undefined : next }))
          },
        }}
        empty={<EmptyFamilies filter={filter} onCreate={createButton} />}
        onMore={onMore}
      />
      <CreateFamilyModal
        opened={isCreating}
        onClose={() => {
          show(filter)
        }}
      />
    </>
  )
}

type FilterProps = { filter: FamilyFilter; onFilter: (filter: FamilyFilter) => void }

function FamilyFilters({ filter, onFilter }: FilterProps): ReactNode {
  const { archived, search, sort } = filter
  return (
    <>
      <SearchField
        label="Search families"
        value={search ?? ''}
        onSearch={(words) => {
          onFilter(present({ ...filter, search: words === '' ? undefined : words }))
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
