import { VersionIfAny } from '../kit/text/CutText.tsx'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { SbomRow } from '#contract/sbom/rows.ts'
import { sourceLabels } from '#contract/sbom/shapes.ts'
import { listedRows } from '../kit/api/listed.ts'
import { familySbomsQuery } from './queries.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { pages } from '../areas.ts'
import { ActivateSbom } from '../sboms/ActivateSbom.tsx'
import { Empty } from '../kit/page/Empty.tsx'
import { formatCount } from '../kit/text/format.ts'
import { ActiveChip, SbomStatusChip } from '../sboms/SbomChips.tsx'
import type { Column } from '../kit/table/column.ts'
import { Moment } from '../kit/time/Time.tsx'
import { List } from '../kit/table/List.tsx'

const columns: Column<SbomRow>[] = [
  {
    id: 'received',
    header: 'Received',
    widthPx: 168,
    phoneWidthPx: 150,
    whole: true,
    cell: ({ receivedAt }) => <Moment at={receivedAt} wraps />,
  },
  {
    id: 'version',
    header: 'Version',
    cell: ({ version }) => <VersionIfAny version={version} />,
  },
  { id: 'status', header: 'Status', widthPx: 110, cell: ({ status }) => <SbomStatusChip status={status} /> },
  {
    id: 'active',
    header: 'Active',
    widthPx: 100,
    from: 'sm',
    cell: ({ active }) => <ActiveChip active={active} />,
  },
  {
    id: 'components',
    header: 'Entries',
    widthPx: 110,
    align: 'right',
    from: 'md',
    cell: (row) => formatCount(row.components),
  },
  { id: 'source', header: 'Source', widthPx: 130, from: 'xl', cell: ({ source }) => sourceLabels[source] },
  { id: 'sentBy', header: 'Sent by', widthPx: 140, from: 'md', cell: ({ sentBy }) => sentBy },
  {
    id: 'act',
    header: 'Actions',
    hidesHeader: true,
    widthPx: 166,
    align: 'right',
    from: 'sm',
    cell: (row) => (row.active ? null : <ActivateSbom sbom={row} inRow />),
  },
]

/** Every SBOM that was sent for a family, newest first. */
export function HistoryTable({ familyId }: { familyId: string }): ReactNode {
  const { slug } = useWorkspace()
  return (
    <List
      list={listedRows(useInfiniteQuery(familySbomsQuery(slug, familyId)))}
      note={{ noun: 'SBOM' }}
      more="Show older SBOMs"
      label="SBOM history"
      columns={columns}
      rowId={({ id }) => id}
      rowLink={({ id }) => pages.sbom(slug, id)}
      empty={<Empty why="No SBOM has been uploaded yet." />}
    />
  )
}
