import type { ReactNode } from 'react'
import type { SourceRow } from '#contract/sources/shapes.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { pages } from '../areas.ts'
import { DataTable } from '../kit/table/DataTable.tsx'
import { NoSources } from '../sources/NoSources.tsx'
import { sourceColumns } from '../sources/source-columns.tsx'

const shownSources = 6

type Props = { sources: SourceRow[] | undefined; switchedOff: readonly string[] }

/** The sources to look at first: failed ones, then the oldest. */
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
  const failed = Number(b.state === 'failing') - Number(a.state === 'failing')
  if (failed !== 0) return failed
  return (a.lastSuccessAt ?? '').localeCompare(b.lastSuccessAt ?? '')
}
