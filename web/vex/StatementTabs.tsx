import { Tabs } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { vexEntryFilters, type VexDocumentDetail, type VexEntryFilter } from '#contract/vex/documents.ts'
import { listedRows } from '../kit/api/listed.ts'
import { vexStatementsQuery } from './queries.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { present } from '../kit/address/search.ts'
import type { VexSearch } from './area.ts'
import { pages } from '../areas.ts'
import { Empty } from '../kit/page/Empty.tsx'
import { formatCount } from '../kit/text/format.ts'
import { showOpenTab } from '../kit/page/PageTabs.tsx'
import { SearchField } from '../kit/table/SearchField.tsx'
import { StatementDrawer } from './StatementDrawer.tsx'
import { reportedColumns, statementColumns, unboundColumns } from './statement-columns.tsx'
import { UnboundHelp } from './UnboundHelp.tsx'
import { List } from '../kit/table/List.tsx'
import { useSteps } from '../kit/address/use-steps.ts'

const listLooks = {
  statements: { label: 'Statements', columns: statementColumns, noun: 'statement' },
  unbound: { label: 'Statements not bound', columns: unboundColumns, noun: 'statement' },
  findings: { label: 'Reported findings', columns: reportedColumns, noun: 'reported finding' },
} as const

/** The statements of a document in three lists: with a verdict, without effect, and reported without a verdict. */
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
  const asked: VexSearch = { show, ...present({ search }) }
  const { linkTo, show: go } = useSteps(asked, (next: VexSearch) => pages.vex(slug, document.id, next))
  const list = listedRows(
    useInfiniteQuery(vexStatementsQuery(slug, document.id, { show, ...present({ search }) })),
  )
  const { label, columns, noun } = listLooks[show]
  return (
    <>
      <List
        list={list}
        note={{ noun }}
        filters={
          <SearchField
            label={`Search ${label.toLowerCase()}`}
            value={search}
            onSearch={(words) => {
              go(present({ show, search: words }))
            }}
          />
        }
        scrolls
        label={label}
        columns={columns}
        rowId={({ number }) => String(number)}
        rowLink={({ number }) => linkTo({ ...asked, statement: String(number) })}
        openRow={statement}
        empty={<NoStatements show={show} isFiltered={search !== undefined} />}
      />
      <StatementDrawer
        document={document}
        show={show}
        number={statement}
        listed={list.rows?.find(({ number }) => String(number) === statement)}
        onClose={() => {
          go(asked)
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
