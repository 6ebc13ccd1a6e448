import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { exportVulnerabilities } from '#contract/export-operations.ts'
import { vulnerabilitySorts } from '#contract/vulnerabilities/shapes.ts'
import { vulnerabilitiesQuery } from './queries.ts'
import { saveFile } from '../kit/api/save-file.ts'
import { listedRows } from '../kit/api/listed.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { asked as queryOfAddress, present } from '../kit/address/search.ts'
import type { VulnerabilitiesSearch } from './area.ts'
import { pages } from '../areas.ts'
import { ExportMenu, type ExportFormat } from '../kit/actions/ExportMenu.tsx'
import { FamilySelect } from '../families/FamilySelect.tsx'
import { Empty } from '../kit/page/Empty.tsx'
import { formatNoun } from '../kit/text/format.ts'
import { TextLink } from '../kit/text/links.tsx'
import { FindingFilters } from '../findings/FindingFilters.tsx'
import { VerdictFilterLine } from '../findings/VerdictFilterLine.tsx'
import { AllClear } from '../sources/AllClear.tsx'
import { unexploitedColumns, vulnerabilityColumns } from './vulnerability-columns.tsx'
import { ListPage } from '../kit/page/ListPage.tsx'
import { useSteps } from '../kit/address/use-steps.ts'
import { sortingBy } from '../kit/table/sorting-by.ts'

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

type FiltersProps = { asked: VulnerabilitiesSearch; show: (next: VulnerabilitiesSearch) => void }

function VulnerabilityFilters({ asked, show }: FiltersProps): ReactNode {
  const { slug } = useWorkspace()
  const { sort, family, ...filter } = asked
  const save = (format: ExportFormat) =>
    saveFile(
      exportVulnerabilities,
      { params: { slug }, query: { ...queryOfAddress(asked), format } },
      `vulnerabilities.${format}`,
    )
  return (
    <>
      <FindingFilters
        label="Search vulnerabilities"
        filter={filter}
        onFilter={({ sort: _sort, ...next }) => {
          show({ ...next, ...present({ family, sort }) })
        }}
      />
      <ExportMenu what="vulnerabilities" save={save} />
    </>
  )
}

function VerdictAndFamily({ asked, show, hidden }: FiltersProps & { hidden: number }): ReactNode {
  const { slug } = useWorkspace()
  return (
    <VerdictFilterLine
      value={asked.verdict ?? 'open'}
      onChange={(verdict) => {
        show(present({ ...asked, verdict: verdict === 'open' ? undefined : verdict }))
      }}
      hidden={hidden}
      noun={{ one: 'vulnerability', many: 'vulnerabilities' }}
      allLink={pages.vulnerabilities(slug, { ...asked, verdict: 'all' })}
    >
      <FamilySelect
        chosen={asked.family}
        onChoose={(family) => {
          show(present({ ...asked, family }))
        }}
      />
    </VerdictFilterLine>
  )
}

/** What affects the products, worst first, over all products. */
export default function VulnerabilitiesPage(): ReactNode {
  const { slug } = useWorkspace()
  const asked = useSearch({ from: '/signed-in/$slug/vulnerabilities' })
  const { sort, ...filter } = asked
  const { show } = useSteps(asked, (next: VulnerabilitiesSearch) => pages.vulnerabilities(slug, next))
  const vulnerabilities = listedRows(useInfiniteQuery(vulnerabilitiesQuery(slug, asked)))
  const { first } = vulnerabilities
  const hidden = asked.verdict === undefined ? (first?.hidden ?? 0) : 0
  return (
    <ListPage
      title="Vulnerabilities"
      about="Open findings of all product families, grouped by vulnerability, with the versions they affect."
      list={vulnerabilities}
      note={{
        noun: 'vulnerability',
        nouns: 'vulnerabilities',
        also: first === undefined ? undefined : formatNoun(first.findings, 'finding'),
      }}
      filters={<VulnerabilityFilters asked={asked} show={show} />}
      below={<VerdictAndFamily asked={asked} show={show} hidden={hidden} />}
      scrolls
      label="Vulnerabilities"
      columns={first?.exploited === 0 ? unexploitedColumns : vulnerabilityColumns}
      rowId={({ id }) => id}
      rowLink={({ id }) => pages.vulnerability(slug, id)}
      sorting={sortingBy({
        sorts: vulnerabilitySorts,
        sort,
        usual: 'urgency',
        onSort: (next) => {
          show(present({ ...asked, sort: next }))
        },
      })}
      empty={<EmptyVulnerabilities isFiltered={Object.keys(filter).length > 0} hidden={hidden} />}
    />
  )
}
