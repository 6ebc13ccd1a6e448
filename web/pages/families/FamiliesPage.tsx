import { IconArchive, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { FamilyRow } from '../../../src/contract/app.ts'
import { refusal } from '../../access.ts'
import { familiesQuery } from '../../api/queries.ts'
import { useWorkspace } from '../../frame/use-workspace.ts'
import { pages } from '../../paths.ts'
import { ActionButton } from '../../ui/ActionButton.tsx'
import { Chip } from '../../ui/Chip.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { FilterChips } from '../../ui/FilterChips.tsx'
import { formatCount } from '../../ui/format.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { findingColumns } from '../../ui/finding-columns.tsx'
import { Problem } from '../../ui/Problem.tsx'
import type { Column } from '../../ui/table/column.ts'
import { DataTable } from '../../ui/table/DataTable.tsx'
import { TableNote } from '../../ui/table/TableNote.tsx'
import { TableTools } from '../../ui/table/TableTools.tsx'
import { Age } from '../../ui/Time.tsx'
import { CreateFamilyModal } from './CreateFamilyModal.tsx'
import { FamilyMenu } from './FamilyMenu.tsx'
import { Foreign } from '../../ui/Foreign.tsx'

function EmptyFamilies({ archived, onCreate }: { archived: boolean; onCreate: ReactNode }): ReactNode {
  if (archived) return <Empty why="No family is archived." />
  return (
    <Empty
      why="A family is a product you sell; its versions have one SBOM each. There is none yet."
      next={onCreate}
    />
  )
}

const columns: Column<FamilyRow>[] = [
  {
    id: 'name',
    header: 'Family',
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
    from: 'lg',
    cell: (row) => formatCount(row.activeSboms),
  },
  ...findingColumns<FamilyRow>({
    countsOf: ({ findings }) => findings,
    isJudged: ({ isJudged }) => isJudged,
  }),
  {
    id: 'upload',
    header: 'Last upload',
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

/** Every product family of the workspace with what stands open in its active versions. */
export default function FamiliesPage(): ReactNode {
  const workspace = useWorkspace()
  const { archived = false, dialog } = useSearch({ from: '/signed-in/$slug/families' })
  const navigate = useNavigate()
  const families = useQuery(familiesQuery(workspace.slug, archived))
  const base = archived ? { archived: true as const } : {}

  const createButton = (
    <ActionButton
      leftSection={<IconPlus size={16} />}
      refused={refusal(workspace, 'manage_families')}
      onClick={() => {
        void navigate(pages.families(workspace.slug, { ...base, dialog: 'create' }))
      }}
    >
      Create family
    </ActionButton>
  )

  return (
    <>
      <PageHeader title="Families" actions={createButton} />
      <TableTools
        filters={
          <FilterChips
            label="Filters"
            choices={[
              {
                id: 'archived',
                label: 'Archived',
                pressed: archived,
                onToggle: () => {
                  void navigate(pages.families(workspace.slug, archived ? {} : { archived: true }))
                },
              },
            ]}
          />
        }
        note={
          <TableNote
            count={families.data?.length}
            noun="family"
            nouns="families"
            updatedAtMs={families.dataUpdatedAt}
          />
        }
      />
      {families.isError && families.data === undefined ? (
        <Problem
          error={families.error}
          onRetry={() => {
            void families.refetch()
          }}
        />
      ) : (
        <DataTable
          label="Families"
          columns={columns}
          rows={families.data}
          rowId={(row) => row.id}
          rowLink={(row) => pages.family(workspace.slug, row.id)}
          empty={<EmptyFamilies archived={archived} onCreate={createButton} />}
        />
      )}
      <CreateFamilyModal
        opened={dialog === 'create'}
        onClose={() => {
          void navigate({ ...pages.families(workspace.slug, base), replace: true })
        }}
      />
    </>
  )
}
