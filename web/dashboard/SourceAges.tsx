import type { ReactNode } from 'react'
import type { SourceRow } from '#contract/sources/shapes.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { pages } from '../areas.ts'
import { DataTable } from '../kit/table/DataTable.tsx'
import { NoSources } from '../sources/NoSources.tsx'
import { sourceColumns } from '../sources/source-columns.tsx'

const shownSources = 6

type Props = { sources: SourceRow[] | undefined; switchedOff: readonly string[] }

/** The sources to look at first: failing ones, then the oldest; those that are switched off and never loaded are nobody's to mend. */
export function SourceAges({ sources, switchedOff }: Props): ReactNode {
  const { slug } = useWorkspace()
  const first = sources?.toSorted(compareNeed).slice(0, shownSources)
  return (
    <DataTable
      label="Sources"
      columns={sourceColumns}
      rows={first}
      rowId={({ name }) => name}
      rowLink={({ name }) => pages.sources(slug, { source: name })}
      empty={<NoSources switchedOff={switchedOff} />}
    />
  )
}

function compareNeed(a: SourceRow, b: SourceRow): number {
  const byNeed = needOf(a) - needOf(b)
  if (byNeed !== 0) return byNeed
  return (a.lastSuccessAt ?? '').localeCompare(b.lastSuccessAt ?? '')
}

function needOf({ state }: SourceRow): number {
  if (state === 'failing') return 0
  return state === 'off' ? 2 : 1
}
