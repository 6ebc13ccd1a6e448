import type { ReactNode } from 'react'
import type { SourceRow } from '../../../src/contract/app.ts'
import { useWorkspace } from '../../frame/use-workspace.ts'
import { pages } from '../../paths.ts'
import { Empty } from '../../ui/Empty.tsx'
import { DataTable } from '../../ui/table/DataTable.tsx'
import { sourceColumns } from '../sources/source-columns.tsx'

const shownSources = 6

/** The sources that need a look first: failed ones, then the oldest. */
export function SourceAges({ sources }: { sources: SourceRow[] | undefined }): ReactNode {
  const { slug } = useWorkspace()
  const first = sources?.toSorted(compareNeed).slice(0, shownSources)
  return (
    <DataTable
      label="Sources"
      columns={sourceColumns}
      rows={first}
      rowId={({ name }) => name}
      rowLink={({ name }) => pages.sources(slug, { source: name })}
      empty={
        <Empty why="No source has been loaded yet. The service fetches them in the background after it starts." />
      }
    />
  )
}

function compareNeed(a: SourceRow, b: SourceRow): number {
  const failed = Number(b.lastError !== null) - Number(a.lastError !== null)
  if (failed !== 0) return failed
  return (a.lastSuccessAt ?? '').localeCompare(b.lastSuccessAt ?? '')
}
