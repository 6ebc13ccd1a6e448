import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { SuppressedRow } from '#contract/incidents/waiting.ts'
import { suppressedQuery } from '../queries.ts'
import { listedRows } from '../../kit/api/listed.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { pages } from '../../areas.ts'
import { Empty } from '../../kit/page/Empty.tsx'
import { VulnerabilityName } from '../../findings/VulnerabilityName.tsx'
import type { Column } from '../../kit/table/column.ts'
import { NameVersion } from '../../kit/text/NameVersion.tsx'
import { Age } from '../../kit/time/Time.tsx'
import { IncidentsNav } from '../IncidentsNav.tsx'
import { ListPage } from '../../kit/page/ListPage.tsx'

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

/** Exploited vulnerabilities that match exactly but are declared not affected or fixed by an uploaded VEX document. */
export default function SuppressedPage(): ReactNode {
  const { slug } = useWorkspace()
  const filter = useSearch({ from: '/signed-in/$slug/suppressed' })
  return (
    <ListPage
      title="Held back by VEX"
      crumbs={[{ name: 'Incidents', link: pages.incidents(slug) }]}
      about="Exploited vulnerabilities in your products that an uploaded document declares not affected or fixed. When it no longer says so, an incident is opened."
      nav={<IncidentsNav />}
      list={listedRows(useInfiniteQuery(suppressedQuery(slug, filter)))}
      note={{ noun: 'match', nouns: 'matches' }}
      label="Held back by VEX"
      columns={columns}
      rowId={({ id }) => id}
      rowLink={({ documentId }) => pages.vex(slug, documentId)}
      empty={<Empty why="No uploaded document holds an incident back." />}
    />
  )
}
