import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import type { SbomDetail } from '../../../src/contract/app.ts'
import { Empty } from '../../ui/Empty.tsx'
import { formatCount, formatShare } from '../../ui/format.ts'
import { Section } from '../../ui/Section.tsx'
import type { Column } from '../../ui/table/column.ts'
import { DataTable } from '../../ui/table/DataTable.tsx'
import { CoverageBar } from './CoverageBar.tsx'
import { coverageTotal, decidabilities, decidabilityLooks, type Decidability } from './coverage.ts'
import { DecidabilityMark } from './DecidabilityMark.tsx'

type Share = { state: Decidability; count: number; total: number }
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
  { id: 'message', header: 'Hint', cell: ({ message }) => <span title={message}>{message}</span> },
  { id: 'count', header: 'Places', widthPx: 90, align: 'right', cell: ({ count }) => formatCount(count) },
  {
    id: 'pointer',
    header: 'First place',
    widthPx: 320,
    from: 'md',
    cell: ({ pointer }) => (pointer === null ? '–' : <code title={pointer}>{pointer}</code>),
  },
  { id: 'code', header: 'Code', widthPx: 190, from: 'lg', cell: ({ code }) => <code>{code}</code> },
]

/** How much of the SBOM can be judged, why the rest cannot, and what its generator could do better. */
export function QualityTab({ sbom }: { sbom: SbomDetail }): ReactNode {
  const total = coverageTotal(sbom.coverage)
  const shares = decidabilities
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
          empty={<Empty why="The SBOM lists no components." />}
        />
      </Section>
      <Section title="Hints">
        <DataTable
          label="Hints"
          columns={hintColumns}
          rows={sbom.hints}
          rowId={({ code }) => code}
          empty={<Empty why="The document follows its format in everything the service reads." />}
        />
      </Section>
    </Stack>
  )
}
