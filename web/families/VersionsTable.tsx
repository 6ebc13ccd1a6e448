import { IconArchive, IconStarFilled } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { FamilyDetail, VersionRow } from '#contract/products/shapes.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { pages } from '../areas.ts'
import { Chip } from '../kit/text/Chip.tsx'
import { Empty } from '../kit/page/Empty.tsx'
import { formatCount } from '../kit/text/format.ts'
import { SbomStatusChip } from '../sboms/SbomChips.tsx'
import { findingColumns } from '../findings/finding-columns.tsx'
import type { Column } from '../kit/table/column.ts'
import { DataTable } from '../kit/table/DataTable.tsx'
import { Age } from '../kit/time/Time.tsx'
import { VersionMenu } from './VersionMenu.tsx'
import { VersionText } from '../kit/text/CutText.tsx'

function VersionName({ version }: { version: VersionRow }): ReactNode {
  return (
    <span className="named marked">
      {version.name === null ? (
        <span className="dimmed">without version</span>
      ) : (
        <span className="named-first">
          <VersionText>{version.name}</VersionText>
        </span>
      )}
      {version.isCurrent ? (
        <Chip tone="neutral" Icon={IconStarFilled} title="The family's current version">
          current
        </Chip>
      ) : null}
      {version.retiredAt === null ? null : (
        <Chip tone="neutral" Icon={IconArchive} title="No longer matched; its history is kept">
          retired
        </Chip>
      )}
    </span>
  )
}

function columnsOf(familyId: string): Column<VersionRow>[] {
  return [
    { id: 'name', header: 'Version', cell: (version) => <VersionName version={version} /> },
    {
      id: 'status',
      header: 'SBOM',
      widthPx: 120,
      from: 'sm',
      cell: ({ activeSbom }) =>
        activeSbom === null ? (
          <span className="dimmed">none active</span>
        ) : (
          <SbomStatusChip status={activeSbom.status} />
        ),
    },
    {
      id: 'components',
      header: 'Entries',
      widthPx: 110,
      align: 'right',
      from: 'xl',
      cell: ({ activeSbom }) => (activeSbom === null ? '–' : formatCount(activeSbom.components)),
    },
    ...findingColumns<VersionRow>({
      countsOf: ({ findings }) => findings,
      judgedOf: ({ activeSbom, judged }) =>
        activeSbom?.status === 'matched' ? judged : { ...judged, covered: 0 },
    }),
    {
      id: 'received',
      header: 'Received',
      widthPx: 116,
      from: 'xl',
      cell: ({ activeSbom }) =>
        activeSbom === null ? <span className="dimmed">–</span> : <Age at={activeSbom.receivedAt} />,
    },
    {
      id: 'menu',
      header: 'Actions',
      hidesHeader: true,
      widthPx: 48,
      align: 'right',
      cell: (version) => <VersionMenu familyId={familyId} version={version} />,
    },
  ]
}

/** The versions of a family, each judged by its active SBOM. */
export function VersionsTable({ family }: { family: FamilyDetail }): ReactNode {
  const { slug } = useWorkspace()
  return (
    <DataTable
      label="Versions"
      columns={columnsOf(family.id)}
      rows={family.versions}
      rowId={(version) => version.id ?? 'without-version'}
      rowLink={({ activeSbom }) => (activeSbom === null ? undefined : pages.sbom(slug, activeSbom.id))}
      empty={<Empty why="There are no versions yet. They are added by the SBOMs that name them." />}
    />
  )
}
