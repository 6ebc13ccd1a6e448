import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { SuppressedRow } from '#contract/incidents/waiting.ts'
import { suppressedQuery } from '../queries.ts'
import { listedRows } from '../../kit/api/listed.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { pages } from '../../paths.ts'
import { MoreButton } from '../../kit/actions/MoreButton.tsx'
import { Empty } from '../../kit/page/Empty.tsx'
import { PageHeader } from '../../kit/page/PageHeader.tsx'
import { Problem } from '../../kit/page/Problem.tsx'
import { VulnerabilityName } from '../../findings/VulnerabilityName.tsx'
import type { Column } from '../../kit/table/column.ts'
import { DataTable } from '../../kit/table/DataTable.tsx'
import { TableNote } from '../../kit/table/TableNote.tsx'
import { TableTools } from '../../kit/table/TableTools.tsx'
import { NameVersion } from '../../kit/text/NameVersion.tsx'
import { Age } from '../../kit/time/Time.tsx'
import { IncidentsNav } from '../IncidentsNav.tsx'

const columns: Column<SuppressedRow>[] = [
  {
    id: 'vulnerability',
    header: 'Vulnerability',
    widthPx: 176,
    phoneWidthPx: 140,
    cell: ({ vulnKey, component }) => (
      <VulnerabilityName
        id={vulnKey}
        onPhone={<NameVersion name={component.name} version={component.version} />}
      />
    ),
  },
  {
    id: 'family',
    header: 'Product',
    cell: ({ family, version }) => <NameVersion name={family.name} version={version} />,
  },
  {
    id: 'component',
    header: 'Component',
    from: 'sm',
    cell: ({ component }) => <NameVersion name={component.name} version={component.version} />,
  },
  {
    id: 'verdict',
    header: 'Declared',
    widthPx: 128,
    from: 'sm',
    cell: ({ verdict }) => verdict.replaceAll('_', ' '),
  },
  { id: 'since', header: 'Since', widthPx: 100, from: 'sm', cell: ({ since }) => <Age at={since} /> },
]

/** Exploited vulnerabilities that match exactly, and that an uploaded VEX document declares not affected or fixed. */
export default function SuppressedPage(): ReactNode {
  const { slug } = useWorkspace()
  const filter = useSearch({ from: '/signed-in/$slug/suppressed' })
  const suppressed = useInfiniteQuery(suppressedQuery(slug, filter))
  const { rows, total, onMore, onRetry } = listedRows(suppressed)
  return (
    <>
      <PageHeader
        title="Held back by VEX"
        crumbs={[{ name: 'Incidents', link: pages.incidents(slug) }]}
        about="Exploited vulnerabilities in your products that an uploaded document declares not affected or fixed. When it no longer says so, an incident is opened."
      />
      <IncidentsNav />
      <TableTools
        note={<TableNote count={total} noun="match" nouns="matches" updatedAtMs={suppressed.dataUpdatedAt} />}
      />
      {suppressed.error === null ? null : <Problem error={suppressed.error} onRetry={onRetry} />}
      <DataTable
        label="Held back by VEX"
        columns={columns}
        rows={rows}
        rowId={({ id }) => id}
        rowLink={({ documentId }) => pages.vex(slug, documentId)}
        empty={<Empty why="No uploaded document holds an incident back." />}
      />
      <MoreButton onMore={onMore} isLoading={suppressed.isFetchingNextPage}>
        Show more
      </MoreButton>
    </>
  )
}
