import { NameVersion } from '../../kit/text/NameVersion.tsx'
import { visibleText } from '#contract/hidden-characters.ts'
import { VersionText } from '../../kit/text/CutText.tsx'
import { CutForeign, Foreign } from '../../kit/text/Foreign.tsx'
import { NativeSelect, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { FamilyDetail } from '#contract/products/shapes.ts'
import type { ReportedFindingRow } from '#contract/vex/documents.ts'
import { sourceLabels } from '#contract/sbom/shapes.ts'
import { listedRows } from '../../kit/api/listed.ts'
import { reportedFindingsQuery } from '../../vex/queries.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { present } from '../../kit/address/search.ts'
import { pages } from '../../areas.ts'
import { Empty } from '../../kit/page/Empty.tsx'
import type { Column } from '../../kit/table/column.ts'
import { Moment } from '../../kit/time/Time.tsx'
import { List } from '../../kit/table/List.tsx'

const columns: Column<ReportedFindingRow>[] = [
  {
    id: 'vulnerability',
    header: 'Vulnerability',
    widthPx: 184,
    phoneWidthPx: 150,
    cell: ({ title, vulnerabilityIds }) => <CutForeign>{title ?? vulnerabilityIds[0] ?? ''}</CutForeign>,
  },
  {
    id: 'component',
    header: 'Component',
    cell: ({ component, productLabel }) =>
      component === null ? (
        <span className="clip dimmed">
          <Foreign>{productLabel === '' ? 'not named' : productLabel}</Foreign>
        </span>
      ) : (
        <NameVersion name={component.name} version={component.version} title={component.purl} />
      ),
  },
  {
    id: 'version',
    header: 'Version',
    widthPx: 120,
    from: 'sm',
    cell: ({ everyVersion, version }) => (
      <VersionText>{everyVersion ? 'every version' : (version ?? 'without version')}</VersionText>
    ),
  },
  {
    id: 'known',
    header: 'In our data',
    widthPx: 130,
    from: 'lg',
    cell: ({ title }) =>
      title === null ? <span className="dimmed">unknown</span> : <span>other versions</span>,
  },
  {
    id: 'author',
    header: 'Reported by',
    widthPx: 160,
    from: 'sm',
    cell: ({ author, sbomId }) => (
      <CutForeign>{author ?? (sbomId === null ? 'not named' : 'the SBOM')}</CutForeign>
    ),
  },
  { id: 'source', header: 'Source', widthPx: 124, from: 'xl', cell: ({ source }) => sourceLabels[source] },
  {
    id: 'received',
    header: 'Received',
    widthPx: 168,
    from: 'md',
    cell: ({ receivedAt }) => <Moment at={receivedAt} />,
  },
]

/** Scanner findings that our own matching has not found: listed with their source, counted nowhere. */
export function ReportedTab({ family }: { family: FamilyDetail }): ReactNode {
  const { slug } = useWorkspace()
  const { version } = useSearch({ from: '/signed-in/$slug/families/$family' })
  const navigate = useNavigate()
  return (
    <>
      <Text c="dimmed" mb="sm" maw={760}>
        Reported by scanners in SBOMs and VEX documents, but not found by our own matching in that version.
        They are not findings and are not counted: the data may say that this version is not affected, or may
        not cover the package.
      </Text>
      <List
        list={listedRows(useInfiniteQuery(reportedFindingsQuery(slug, family.id, version)))}
        note={{ noun: 'reported finding' }}
        filters={
          <NativeSelect
            size="xs"
            aria-label="Version"
            value={version ?? ''}
            data={[{ value: '', label: 'Every version' }, ...versionChoices(family)]}
            onChange={(event) => {
              const { value } = event.currentTarget
              const next = present({ tab: 'reported' as const, version: value === '' ? undefined : value })
              void navigate({ ...pages.family(slug, family.id, next), replace: true, resetScroll: false })
            }}
            styles={{ input: { fontSize: 13 } }}
          />
        }
        label="Reported by scanners"
        columns={columns}
        rowId={({ documentId, number }) => `${documentId} ${number}`}
        rowLink={({ documentId, number }) =>
          pages.vex(slug, documentId, { show: 'findings', statement: String(number) })
        }
        empty={
          <Empty why="Scanners have reported nothing beyond what our own matching has found. Their reports come inside SBOMs and VEX documents." />
        }
      />
    </>
  )
}

function versionChoices({ versions }: FamilyDetail): { value: string; label: string }[] {
  return versions.map(({ id, name }) => ({
    value: id ?? 'none',
    label: visibleText(name ?? 'Without version'),
  }))
}
