import type { ShownDecidability } from '#contract/identity.ts'
import { visibleText } from '#contract/hidden-characters.ts'
import { Foreign } from '../kit/text/Foreign.tsx'
import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { SbomDetail } from '#contract/sbom/rows.ts'
import { Empty } from '../kit/page/Empty.tsx'
import { formatCount, formatShare } from '../kit/text/format.ts'
import { Section } from '../kit/page/Section.tsx'
import type { Column } from '../kit/table/column.ts'
import { DataTable } from '../kit/table/DataTable.tsx'
import { CoverageBar } from '../sources/CoverageBar.tsx'
import { coverageTotal } from '#contract/sbom/shapes.ts'
import { shownDecidabilities, decidabilityLooks } from '../sources/coverage.ts'
import { DecidabilityMark } from '../sources/DecidabilityMark.tsx'

type Share = { state: ShownDecidability; count: number; total: number }
type Hint = SbomDetail['hints'][number]

const shareColumns: Column<Share>[] = [
  { id: 'state', header: 'State', widthPx: 160, cell: ({ state }) => <DecidabilityMark state={state} /> },
  {
    id: 'count',
    header: 'Components',
    widthPx: 110,
    align: 'right',
    cell: ({ count }) => formatCount(count),
  },
  {
    id: 'share',
    header: 'Share',
    widthPx: 80,
    align: 'right',
    cell: ({ count, total }) => formatShare(count, total),
  },
  {
    id: 'meaning',
    header: 'What it means',
    from: 'sm',
    cell: ({ state }) => (
      <span title={decidabilityLooks[state].meaning}>{decidabilityLooks[state].meaning}</span>
    ),
  },
]

const hintColumns: Column<Hint>[] = [
  {
    id: 'message',
    header: 'Hint',
    cell: ({ message }) => (
      <span title={visibleText(message)}>
        <Foreign>{message}</Foreign>
      </span>
    ),
  },
  { id: 'count', header: 'Places', widthPx: 90, align: 'right', cell: ({ count }) => formatCount(count) },
  {
    id: 'pointer',
    header: 'First place',
    widthPx: 320,
    from: 'md',
    cell: ({ pointer }) =>
      pointer === null ? (
        '–'
      ) : (
        <code title={visibleText(pointer)}>
          <Foreign>{pointer}</Foreign>
        </code>
      ),
  },
  {
    id: 'code',
    header: 'Code',
    widthPx: 190,
    from: 'lg',
    cell: ({ code }) => (
      <code>
        <Foreign>{code}</Foreign>
      </code>
    ),
  },
]

type Left = SbomDetail['leftToDistribution']['rows'][number]

const named = ({ name, version }: Left['package']) =>
  visibleText(version === null ? name : `${name} ${version}`)

const leftColumns: Column<Left>[] = [
  { id: 'title', header: 'Vulnerability', widthPx: 190, cell: ({ title }) => title },
  {
    id: 'component',
    header: 'Component',
    cell: ({ component }) => <span title={named(component)}>{named(component)}</span>,
  },
  {
    id: 'package',
    header: 'Installed by package',
    cell: (left) => <span title={named(left.package)}>{named(left.package)}</span>,
  },
]

/** Left out of the findings because the distribution decides about it; most SBOMs have none. */
function LeftSection({ left }: { left: SbomDetail['leftToDistribution'] }): ReactNode {
  if (left.total === 0) return null
  return (
    <Section title={`Left to the distribution: ${formatCount(left.total)}`}>
      <Text size="sm" c="dimmed" mb="sm">
        These components were installed by a package of the distribution, which says that its version is not
        affected. They are not among the findings.
        {left.total > left.rows.length && ` The first ${formatCount(left.rows.length)} are listed.`}
      </Text>
      <DataTable
        label="Left to the distribution"
        columns={leftColumns}
        rows={left.rows}
        rowId={(row) => JSON.stringify([row.title, row.component])}
        empty={null}
      />
    </Section>
  )
}

/** How much of the SBOM can be judged, why the rest cannot, and what its generator could do better. */
export function QualityTab({ sbom }: { sbom: SbomDetail }): ReactNode {
  const total = coverageTotal(sbom.coverage)
  const shares = shownDecidabilities
    .map((state) => ({ state, count: sbom.coverage[decidabilityLooks[state].key], total }))
    .filter(({ state, count }) => count > 0 || state === 'covered')
  return (
    <Stack gap={28} mt="sm">
      <Section title="Coverage">
        <CoverageBar shares={shares} />
        <DataTable
          label="Coverage"
          columns={shareColumns}
          rows={shares}
          rowId={({ state }) => state}
          empty={<Empty why="The SBOM contains no components." />}
        />
      </Section>
      <LeftSection left={sbom.leftToDistribution} />
      <Section title="Hints">
        <DataTable
          label="Hints"
          columns={hintColumns}
          rows={sbom.hints}
          rowId={({ code }) => code}
          empty={<Empty why="No problems were found in the document." />}
        />
      </Section>
    </Stack>
  )
}
