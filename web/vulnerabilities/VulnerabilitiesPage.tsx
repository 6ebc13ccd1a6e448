import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { exportVulnerabilities } from '#contract/export-operations.ts'
import { vulnerabilitySorts } from '#contract/vulnerabilities/shapes.ts'
import { vulnerabilitiesQuery } from './queries.ts'
import { saveFile } from '../kit/api/save-file.ts'
import { listedRows } from '../kit/api/listed.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { asked as queryOfAddress, present } from '../kit/address/search.ts'
import type { VulnerabilitiesSearch } from './paths.ts'
import { pages } from '../paths.ts'
import { ExportMenu, type ExportFormat } from '../kit/actions/ExportMenu.tsx'
import { FamilySelect } from '../families/FamilySelect.tsx'
import { Empty } from '../kit/page/Empty.tsx'
import { formatNoun } from '../kit/text/format.ts'
import { TextLink } from '../kit/text/links.tsx'
import { PageHeader } from '../kit/page/PageHeader.tsx'
import { Problem } from '../kit/page/Problem.tsx'
import { TableNote } from '../kit/table/TableNote.tsx'
import { TableTools } from '../kit/table/TableTools.tsx'
import { VirtualTable } from '../kit/table/VirtualTable.tsx'
import { FindingFilters } from '../findings/FindingFilters.tsx'
import { VerdictFilterLine } from '../findings/VerdictFilterLine.tsx'
import { AllClear } from '../sources/AllClear.tsx'
import { vulnerabilityColumns } from './vulnerability-columns.tsx'
import { filterStep } from '../kit/address/filter-step.ts'

function EmptyVulnerabilities({ isFiltered, hidden }: { isFiltered: boolean; hidden: number }): ReactNode {
  const { slug } = useWorkspace()
  if (isFiltered) {
    return (
      <Empty
        why="No vulnerability of your products matches the filters."
        next={
          <TextLink {...pages.vulnerabilities(slug)} resetScroll={false}>
            Show all vulnerabilities
          </TextLink>
        }
      />
    )
  }
  if (hidden > 0) {
    return (
      <Empty
        why="Every vulnerability is declared not affected or fixed."
        next={<TextLink {...pages.vulnerabilities(slug, { verdict: 'all' })}>Show all verdicts</TextLink>}
      />
    )
  }
  return <AllClear why="No known vulnerability affects the components that are covered." />
}

function countedFindings(findings: number | undefined): string | undefined {
  return findings === undefined ? undefined : formatNoun(findings, 'finding')
}

type FiltersProps = {
  asked: VulnerabilitiesSearch
  show: (next: VulnerabilitiesSearch) => void
  found: { total: number | undefined; findings: number | undefined; hidden: number }
  updatedAtMs: number
}

/** What is asked for, and how much of it there is. */
function VulnerabilityFilters({ asked, show, found, updatedAtMs }: FiltersProps): ReactNode {
  const { slug } = useWorkspace()
  const { sort, family, ...filter } = asked
  const kept = present({ family, sort })
  const save = (format: ExportFormat) =>
    saveFile(
      exportVulnerabilities,
      { params: { slug }, query: { ...queryOfAddress(asked), format } },
      `vulnerabilities.${format}`,
    )
  return (
    <>
      <TableTools
        filters={
          <>
            <FindingFilters
              label="Search vulnerabilities"
              filter={filter}
              onFilter={({ sort: _sort, ...next }) => {
                show({ ...next, ...kept })
              }}
            />
            <ExportMenu what="vulnerabilities" save={save} />
          </>
        }
        note={
          <TableNote
            count={found.total}
            noun="vulnerability"
            nouns="vulnerabilities"
            also={countedFindings(found.findings)}
            updatedAtMs={updatedAtMs}
          />
        }
      />
      <VerdictFilterLine
        value={filter.verdict ?? 'open'}
        onChange={(verdict) => {
          show(present({ ...asked, verdict: verdict === 'open' ? undefined : verdict }))
        }}
        hidden={found.hidden}
        noun={{ one: 'vulnerability', many: 'vulnerabilities' }}
        allLink={pages.vulnerabilities(slug, { ...asked, verdict: 'all' })}
      >
        <FamilySelect
          chosen={family}
          onChoose={(next) => {
            show(present({ ...asked, family: next }))
          }}
        />
      </VerdictFilterLine>
    </>
  )
}

/** What affects the products, worst first, whichever product has it. */
export default function VulnerabilitiesPage(): ReactNode {
  const { slug } = useWorkspace()
  const asked = useSearch({ from: '/signed-in/$slug/vulnerabilities' })
  const { sort = 'urgency', family, ...filter } = asked
  const navigate = useNavigate()
  const vulnerabilities = useInfiniteQuery(vulnerabilitiesQuery(slug, asked))
  const { rows, total, onMore, onRetry } = listedRows(vulnerabilities)
  const hidden = filter.verdict === undefined ? (vulnerabilities.data?.pages[0]?.hidden ?? 0) : 0

  function show(next: VulnerabilitiesSearch): void {
    void navigate({ ...pages.vulnerabilities(slug, next), ...filterStep(asked, next) })
  }

  return (
    <>
      <PageHeader
        title="Vulnerabilities"
        about="Open findings of all product families, grouped by vulnerability, with the versions they affect."
      />
      <VulnerabilityFilters
        asked={asked}
        show={show}
        found={{ total, hidden, findings: vulnerabilities.data?.pages[0]?.findings }}
        updatedAtMs={vulnerabilities.dataUpdatedAt}
      />
      {vulnerabilities.error === null ? null : <Problem error={vulnerabilities.error} onRetry={onRetry} />}
      <VirtualTable
        label="Vulnerabilities"
        columns={vulnerabilityColumns}
        rows={rows}
        total={total ?? 0}
        rowId={({ id }) => id}
        rowLink={({ id }) => pages.vulnerability(slug, id)}
        openRow={undefined}
        sorting={{
          value: sort,
          onSort: (value) => {
            const next = vulnerabilitySorts.find((choice) => choice === value)
            show(present({ ...asked, sort: next === 'urgency' ? undefined : next }))
          },
        }}
        empty={
          <EmptyVulnerabilities
            isFiltered={Object.keys(filter).length > 0 || family !== undefined}
            hidden={hidden}
          />
        }
        onMore={onMore}
      />
    </>
  )
}
