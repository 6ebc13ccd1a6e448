import { pages } from '../../areas.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { RemovedSbom } from '#contract/sbom/retention.ts'
import { listedRows } from '../../kit/api/listed.ts'
import { Section } from '../../kit/page/Section.tsx'
import type { Column } from '../../kit/table/column.ts'
import { List } from '../../kit/table/List.tsx'
import { CopyText } from '../../kit/text/CopyText.tsx'
import { VersionIfAny } from '../../kit/text/CutText.tsx'
import { formatBytes, formatCount } from '../../kit/text/format.ts'
import { Moment } from '../../kit/time/Time.tsx'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { removedSbomsQuery } from '../queries.ts'
import { ruleWords } from './words.ts'

const columns: Column<RemovedSbom>[] = [
  {
    id: 'removed',
    header: 'Removed',
    widthPx: 168,
    phoneWidthPx: 150,
    whole: true,
    cell: ({ removedAt }) => <Moment at={removedAt} wraps />,
  },
  {
    id: 'version',
    header: 'Version',
    cell: ({ version }) => <VersionIfAny version={version} />,
  },
  {
    id: 'sha256',
    header: 'SHA-256',
    widthPx: 150,
    phoneWidthPx: 122,
    cell: ({ sha256 }) => (
      <CopyText text={sha256} what="SHA-256">
        {sha256.slice(0, 8)}…
      </CopyText>
    ),
  },
  {
    id: 'received',
    header: 'Received',
    widthPx: 168,
    from: 'sm',
    cell: ({ receivedAt }) => <Moment at={receivedAt} />,
  },
  {
    id: 'components',
    header: 'Entries',
    widthPx: 100,
    align: 'right',
    from: 'md',
    cell: ({ components }) => formatCount(components),
  },
  {
    id: 'findings',
    header: 'Findings',
    widthPx: 100,
    align: 'right',
    from: 'lg',
    cell: ({ findings }) => formatCount(findings),
  },
  {
    id: 'size',
    header: 'Size',
    widthPx: 100,
    align: 'right',
    from: 'md',
    cell: ({ sizeBytes }) => formatBytes(sizeBytes),
  },
  { id: 'rule', header: 'Setting', widthPx: 190, from: 'lg', cell: ruleWords },
]

/** What remains of SBOMs removed by the setting; renders nothing if there are none. */
export function RemovedSboms({ familyId }: { familyId: string }): ReactNode {
  const { slug } = useWorkspace()
  const list = listedRows(useInfiniteQuery(removedSbomsQuery(slug, familyId)))
  if (list.error === null && (list.total ?? 0) === 0) return null
  return (
    <Section title="Removed SBOMs">
      <List
        list={list}
        note={{ noun: 'removed SBOM' }}
        more="Show earlier ones"
        label="Removed SBOMs"
        columns={columns}
        rowId={({ id }) => id}
        rowLink={({ id }) => pages.sbom(slug, id)}
        empty={null}
      />
    </Section>
  )
}
