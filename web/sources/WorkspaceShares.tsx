import type { ShownDecidability } from '#contract/identity.ts'
import { visibleText } from '#contract/hidden-characters.ts'
import { QueryProblem } from '../kit/page/Loaded.tsx'
import { Foreign } from '../kit/text/Foreign.tsx'
import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { WorkspaceCoverage } from '#contract/inventory/shapes.ts'
import { coverageQuery } from './queries.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { pages } from '../areas.ts'
import { Empty } from '../kit/page/Empty.tsx'
import { formatCount, formatNoun, formatShare } from '../kit/text/format.ts'
import { Section } from '../kit/page/Section.tsx'
import { TextLink } from '../kit/text/links.tsx'
import type { Column } from '../kit/table/column.ts'
import { DataTable } from '../kit/table/DataTable.tsx'
import { CoverageBar } from './CoverageBar.tsx'
import { coverageTotal } from '#contract/sbom/shapes.ts'
import { ecosystemName } from '#contract/inventory/ecosystem-name.ts'
import { LostCoverage } from './LostCoverage.tsx'
import { shownDecidabilities, decidabilityLooks } from './coverage.ts'
import { DecidabilityMark } from './DecidabilityMark.tsx'

type Reason = WorkspaceCoverage['reasons'][number] & { decidability: ShownDecidability; total: number }

const columns: Column<Reason>[] = [
  {
    id: 'state',
    header: 'State',
    widthPx: 160,
    cell: ({ decidability }) => <DecidabilityMark state={decidability} />,
  },
  {
    id: 'ecosystem',
    header: 'Ecosystem',
    widthPx: 140,
    phoneWidthPx: 88,
    cell: ({ ecosystem }) =>
      ecosystem === null ? <span className="dimmed">none</span> : ecosystemName(ecosystem),
  },
  {
    id: 'components',
    header: 'Components',
    widthPx: 110,
    phoneWidthPx: 98,
    align: 'right',
    cell: ({ components }) => formatCount(components),
  },
  {
    id: 'share',
    header: 'Share',
    widthPx: 80,
    align: 'right',
    from: 'sm',
    cell: ({ components, total }) => formatShare(components, total),
  },
  {
    id: 'reason',
    header: 'Why',
    from: 'sm',
    cell: ({ reason, decidability }) => {
      const words = reason ?? decidabilityLooks[decidability].meaning
      return (
        <span title={visibleText(words)}>
          <Foreign>{words}</Foreign>
        </span>
      )
    },
  },
]

/** How much of all products can be judged, and why the rest cannot. */
export function WorkspaceShares(): ReactNode {
  const { slug } = useWorkspace()
  const coverage = useQuery(coverageQuery(slug))
  if (coverage.isError && coverage.data === undefined) return <QueryProblem query={coverage} />
  const total = coverage.data === undefined ? 0 : coverageTotal(coverage.data.coverage)
  const reasons = coverage.data?.reasons.flatMap((row): Reason[] => {
    const decidability = shownDecidabilities.find((state) => decidabilityLooks[state].key === row.state)
    return decidability === undefined ? [] : [{ ...row, decidability, total }]
  })
  return (
    <Section title="Not covered" aside={<Judged coverage={coverage.data} total={total} />}>
      <Stack gap="sm">
        <LostCoverage />
        {coverage.data === undefined || total === 0 ? null : (
          <CoverageBar
            shares={shownDecidabilities.map((state) => ({
              state,
              count: coverage.data.coverage[decidabilityLooks[state].key],
            }))}
          />
        )}
        <DataTable
          label="Not covered"
          columns={columns}
          rows={reasons}
          rowId={({ state, ecosystem, reason }) => `${state} ${ecosystem ?? ''} ${reason ?? ''}`}
          empty={
            <Empty
              why={
                total === 0
                  ? 'No product has an active SBOM yet.'
                  : 'Every component of the active SBOMs is covered.'
              }
              next={
                total === 0 ? <TextLink {...pages.families(slug)}>Open the families</TextLink> : undefined
              }
            />
          }
        />
      </Stack>
    </Section>
  )
}

function Judged({ coverage, total }: { coverage: WorkspaceCoverage | undefined; total: number }): ReactNode {
  if (coverage === undefined || total === 0) return null
  return (
    <span className="dimmed">
      {formatShare(coverage.coverage.covered, total)} of {formatNoun(total, 'component')} in{' '}
      {formatNoun(coverage.sboms, 'active SBOM')} covered
    </span>
  )
}
