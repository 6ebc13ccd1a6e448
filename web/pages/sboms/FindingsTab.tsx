import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { FindingRow, SbomDetail } from '../../../src/contract/app.ts'
import { listedRows } from '../../api/listed.ts'
import { findingsQuery, type FindingFilter } from '../../api/queries.ts'
import { useWorkspace } from '../../frame/use-workspace.ts'
import { findingSorts, present, type FindingSort } from '../../page-search.ts'
import { pages } from '../../paths.ts'
import { ExploitedChips } from '../../ui/ExploitedChip.tsx'
import { GradeMark } from '../../ui/GradeMark.tsx'
import { Problem } from '../../ui/Problem.tsx'
import { SeverityMark } from '../../ui/Severity.tsx'
import type { Column } from '../../ui/table/column.ts'
import { TableNote } from '../../ui/table/TableNote.tsx'
import { TableTools } from '../../ui/table/TableTools.tsx'
import { VirtualTable } from '../../ui/table/VirtualTable.tsx'
import { Age } from '../../ui/Time.tsx'
import { EmptyFindings } from './EmptyFindings.tsx'
import { FindingDrawer } from './FindingDrawer.tsx'
import { FindingFilters } from './FindingFilters.tsx'

const columns: Column<FindingRow>[] = [
  {
    id: 'title',
    header: 'Vulnerability',
    widthPx: 184,
    sorts: [{ value: 'title', direction: 'ascending' }],
    cell: ({ title }) => <span className="clip">{title}</span>,
    copies: ({ title }) => ({ text: title, what: title }),
  },
  {
    id: 'exploited',
    header: 'Exploited',
    widthPx: 128,
    phoneWidthPx: 80,
    cell: ({ exploitedBy }) => <ExploitedChips catalogues={exploitedBy} />,
  },
  {
    id: 'severity',
    header: 'Severity',
    widthPx: 132,
    phoneWidthPx: 92,
    sorts: [{ value: 'severity', direction: 'descending' }],
    cell: ({ severity, score }) => <SeverityMark severity={severity} score={score} />,
  },
  {
    id: 'component',
    header: 'Component',
    from: 'sm',
    sorts: [{ value: 'component', direction: 'ascending' }],
    cell: ({ component }) => (
      <span title={component.purl ?? undefined}>
        {component.name} <span className="dimmed">{component.version ?? 'without version'}</span>
      </span>
    ),
  },
  {
    id: 'summary',
    header: 'Summary',
    from: 'lg',
    cell: ({ summary }) => <span title={summary}>{summary}</span>,
  },
  {
    id: 'fixed',
    header: 'Fixed in',
    widthPx: 136,
    from: 'md',
    cell: ({ fixedIn }) => fixedIn ?? <span className="dimmed">no fix named</span>,
  },
  {
    id: 'grade',
    header: 'Match',
    widthPx: 100,
    from: 'md',
    cell: ({ grade }) => <GradeMark grade={grade} />,
  },
  {
    id: 'seen',
    header: 'First seen',
    widthPx: 112,
    from: 'md',
    sorts: [{ value: 'newest', direction: 'descending' }],
    cell: ({ firstSeenAt }) => <Age at={firstSeenAt} />,
  },
]

/** What the address asks for: filter, order, and the finding whose evidence is open. */
function useAsked(): { filter: FindingFilter; sort: FindingSort; open: string | undefined } {
  const {
    tab: _tab,
    component: _component,
    finding: open,
    sort,
    ...filter
  } = useSearch({
    from: '/signed-in/$slug/sboms/$sbom',
  })
  return { filter, sort: findingSorts.find((choice) => choice === sort) ?? 'severity', open }
}

/** The findings of an SBOM, worst first, with the evidence of each in a drawer. */
export function FindingsTab({ sbom }: { sbom: SbomDetail }): ReactNode {
  const { slug } = useWorkspace()
  const navigate = useNavigate()
  const { filter, sort, open } = useAsked()
  const findings = useInfiniteQuery(findingsQuery(slug, sbom.id, { ...filter, sort }))
  const { rows, total, onMore, onRetry } = listedRows(findings)

  function addressOf(nextFilter: FindingFilter, change: { sort?: FindingSort; finding?: string } = {}) {
    const nextSort = change.sort ?? sort
    const search = present({
      ...nextFilter,
      sort: nextSort === 'severity' ? undefined : nextSort,
      finding: change.finding,
    })
    return { ...pages.sbom(slug, sbom.id, search), replace: true, resetScroll: false }
  }

  return (
    <>
      <TableTools
        filters={
          <FindingFilters
            filter={filter}
            onFilter={(next) => {
              void navigate(addressOf(next))
            }}
          />
        }
        note={<TableNote count={total} noun="finding" updatedAtMs={findings.dataUpdatedAt} />}
      />
      {findings.error === null ? null : <Problem error={findings.error} onRetry={onRetry} />}
      <VirtualTable
        label="Findings"
        columns={columns}
        rows={rows}
        total={total ?? 0}
        rowId={({ id }) => id}
        rowLink={({ id }) => addressOf(filter, { finding: id })}
        openRow={open}
        sorting={{
          value: sort,
          onSort: (value) => {
            void navigate(
              addressOf(filter, { sort: findingSorts.find((choice) => choice === value) ?? 'severity' }),
            )
          },
        }}
        empty={<EmptyFindings sbom={sbom} isFiltered={Object.keys(filter).length > 0} />}
        onMore={onMore}
      />
      <FindingDrawer
        findingId={open}
        onClose={() => {
          void navigate(addressOf(filter))
        }}
      />
    </>
  )
}
