import { Tabs } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { vexEntryFilters, type VexDocumentDetail, type VexEntryFilter } from '#contract/vex/documents.ts'
import { listedRows } from '../kit/api/listed.ts'
import { vexStatementsQuery } from './queries.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { present } from '../kit/address/search.ts'
import type { VexSearch } from './paths.ts'
import { pages } from '../paths.ts'
import { Empty } from '../kit/page/Empty.tsx'
import { formatCount } from '../kit/text/format.ts'
import { Problem } from '../kit/page/Problem.tsx'
import { showOpenTab } from '../kit/page/PageTabs.tsx'
import { SearchField } from '../kit/table/SearchField.tsx'
import { TableNote } from '../kit/table/TableNote.tsx'
import { TableTools } from '../kit/table/TableTools.tsx'
import { VirtualTable } from '../kit/table/VirtualTable.tsx'
import { StatementDrawer } from './StatementDrawer.tsx'
import { reportedColumns, statementColumns, unboundColumns } from './statement-columns.tsx'
import { UnboundHelp } from './UnboundHelp.tsx'
import { filterStep } from '../kit/address/filter-step.ts'

const listLooks = {
  statements: { label: 'Statements', columns: statementColumns, noun: 'statement' },
  unbound: { label: 'Statements not bound', columns: unboundColumns, noun: 'statement' },
  findings: { label: 'Reported findings', columns: reportedColumns, noun: 'reported finding' },
} as const

/** What the document says, in three lists: with a verdict, without effect, and reported without a verdict. */
export function StatementTabs({ document }: { document: VexDocumentDetail }): ReactNode {
  const { slug } = useWorkspace()
  const { show = document.statements === 0 ? 'findings' : 'statements' } = useSearch({
    from: '/signed-in/$slug/vex/$document',
  })
  const navigate = useNavigate()
  const names: Record<VexEntryFilter, string> = {
    statements: `Statements ${formatCount(document.statements)}`,
    unbound: `Not bound ${formatCount(document.unbound)}`,
    findings: `Reported ${formatCount(document.findings)}`,
  }
  return (
    <Tabs
      value={show}
      keepMounted={false}
      onChange={(value) => {
        const next = vexEntryFilters.find((name) => name === value)
        void navigate({ ...pages.vex(slug, document.id, present({ show: next })), resetScroll: false })
      }}
    >
      <Tabs.List ref={showOpenTab} mb="sm">
        {vexEntryFilters.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {names[name]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {vexEntryFilters.map((name) => (
        <Tabs.Panel key={name} value={name}>
          {name === 'unbound' && document.unbound > 0 ? <UnboundHelp document={document} /> : null}
          <StatementList document={document} show={name} />
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

type ListProps = { document: VexDocumentDetail; show: VexEntryFilter }

function StatementList({ document, show }: ListProps): ReactNode {
  const { slug } = useWorkspace()
  const { search, statement } = useSearch({ from: '/signed-in/$slug/vex/$document' })
  const navigate = useNavigate()
  const list = useInfiniteQuery(vexStatementsQuery(slug, document.id, { show, ...present({ search }) }))
  const { rows, total, onMore, onRetry } = listedRows(list)
  const { label, columns, noun } = listLooks[show]

  function addressOf(change: Partial<VexSearch>) {
    const link = pages.vex(slug, document.id, present({ show, search, ...change }))
    return { ...link, replace: true, resetScroll: false }
  }

  return (
    <>
      <TableTools
        filters={
          <SearchField
            label={`Search ${label.toLowerCase()}`}
            value={search ?? ''}
            onSearch={(words) => {
              const asked = present({ show, search: words === '' ? undefined : words })
              void navigate({
                ...pages.vex(slug, document.id, asked),
                ...filterStep(present({ show, search }), asked),
              })
            }}
          />
        }
        note={<TableNote count={total} noun={noun} updatedAtMs={list.dataUpdatedAt} />}
      />
      {list.error === null ? null : <Problem error={list.error} onRetry={onRetry} />}
      {list.isError && rows === undefined ? null : (
        <VirtualTable
          label={label}
          columns={columns}
          rows={rows}
          total={total ?? 0}
          rowId={({ number }) => String(number)}
          rowLink={({ number }) => addressOf({ statement: String(number) })}
          openRow={statement}
          empty={<NoStatements show={show} isFiltered={search !== undefined} />}
          onMore={onMore}
        />
      )}
      <StatementDrawer
        document={document}
        show={show}
        number={statement}
        listed={rows?.find(({ number }) => String(number) === statement)}
        onClose={() => {
          void navigate({
            ...pages.vex(slug, document.id, present({ show, search })),
            replace: true,
            resetScroll: false,
          })
        }}
      />
    </>
  )
}

const nothing: Record<VexEntryFilter, string> = {
  statements: 'The document contains no verdicts, only reported findings.',
  unbound: 'Every statement could be bound.',
  findings: 'The document reports no findings without a verdict.',
}

function NoStatements({ show, isFiltered }: { show: VexEntryFilter; isFiltered: boolean }): ReactNode {
  return <Empty why={isFiltered ? 'No results.' : nothing[show]} />
}
