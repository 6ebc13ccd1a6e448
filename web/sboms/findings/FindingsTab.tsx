import { visibleText } from '#contract/hidden-characters.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch, type LinkOptions } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { type SbomDetail } from '#contract/sbom/rows.ts'
import { findingSorts, type FindingRow, type FindingSort } from '#contract/findings/lists.ts'
import type { DependencyStep } from '#contract/dependencies/shapes.ts'
import { decisionLimits } from '#contract/findings/verdict.ts'
import { listedRows } from '../../kit/api/listed.ts'
import { findingsQuery, type FindingFilter } from '../../findings/queries.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { saveFile } from '../../kit/api/save-file.ts'
import { exportFindings } from '#contract/export-operations.ts'
import { ExportMenu, type ExportFormat } from '../../kit/actions/ExportMenu.tsx'
import { asked, present } from '../../kit/address/search.ts'
import { pages } from '../../paths.ts'
import { formatNoun } from '../../kit/text/format.ts'
import { Problem } from '../../kit/page/Problem.tsx'
import { TableNote } from '../../kit/table/TableNote.tsx'
import { TableTools } from '../../kit/table/TableTools.tsx'
import { VirtualTable } from '../../kit/table/VirtualTable.tsx'
import { scopesOfVersion } from '../../findings/verdicts/decision-draft.ts'
import { SelectedFindings } from '../../findings/verdicts/SelectedFindings.tsx'
import { EmptyFindings } from './EmptyFindings.tsx'
import { FindingDrawer } from './FindingDrawer.tsx'
import { FailingSourcesLine } from '../../sources/FailingSources.tsx'
import { FindingFilters } from '../../findings/FindingFilters.tsx'
import { findingListColumns } from './finding-list-columns.tsx'
import { ThroughFilter } from './through.tsx'
import { useAllFindings } from './use-all-findings.ts'
import { VerdictFilterLine } from '../../findings/VerdictFilterLine.tsx'
import { filterStep } from '../../kit/address/filter-step.ts'

type Asked = {
  filter: FindingFilter
  sort: FindingSort
  /** The finding whose evidence is open. */
  open: string | undefined
  /** The address of this tab with another filter, order or open finding; the usual order is left out. */
  addressOf: (filter: FindingFilter, change?: { sort?: FindingSort; finding?: string }) => LinkOptions
}

/** What the address asks for. */
function useAsked(sbomId: string): Asked {
  const { slug } = useWorkspace()
  const {
    tab: _tab,
    component: _component,
    finding: open,
    sort: word,
    ...filter
  } = useSearch({
    from: '/signed-in/$slug/sboms/$sbom',
  })
  const sort = orderOf(word)
  return {
    filter,
    sort,
    open,
    addressOf: (other, change = {}) => {
      const nextSort = change.sort ?? sort
      const search = present({
        ...other,
        sort: nextSort === 'urgency' ? undefined : nextSort,
        finding: change.finding,
      })
      const known = present({ ...filter, sort: sort === 'urgency' ? undefined : sort })
      return { ...pages.sbom(slug, sbomId, search), ...filterStep(known, search) }
    },
  }
}

function orderOf(word: string | undefined): FindingSort {
  return findingSorts.find((choice) => choice === word) ?? 'urgency'
}

function countedVulnerabilities(count: number | undefined): string | undefined {
  return count === undefined ? undefined : formatNoun(count, 'vulnerability', 'vulnerabilities')
}

const nothing: ReadonlySet<string> = new Set()

/** Where no component could be checked, no number says that nothing was found. */
const nothingKnown = { total: undefined, vulnerabilities: undefined }

type FiltersProps = {
  filter: FindingFilter
  onFilter: (next: FindingFilter) => void
  found: { total: number | undefined; vulnerabilities: number | undefined; hidden: number }
  updatedAtMs: number
  allLink: LinkOptions
  onExport: (format: ExportFormat) => Promise<void>
  /** The component that the filter of what comes in means, where it is on. */
  through: DependencyStep | null
}

/** What is asked for, and how much of it there is. */
function Filters({
  filter,
  onFilter,
  found,
  updatedAtMs,
  allLink,
  onExport,
  through,
}: FiltersProps): ReactNode {
  const { through: _through, ...withoutThrough } = filter
  return (
    <>
      <TableTools
        filters={
          <>
            <FindingFilters filter={filter} onFilter={onFilter} />
            <ExportMenu what="findings" save={onExport} />
          </>
        }
        note={
          <TableNote
            count={found.total}
            noun="finding"
            also={countedVulnerabilities(found.vulnerabilities)}
            updatedAtMs={updatedAtMs}
          />
        }
      />
      <VerdictFilterLine
        value={filter.verdict ?? 'open'}
        onChange={(verdict) => {
          const { verdict: _verdict, ...others } = filter
          onFilter(verdict === 'open' ? others : { ...others, verdict })
        }}
        hidden={found.hidden}
        allLink={allLink}
      >
        {through === null ? null : (
          <ThroughFilter
            through={through}
            onClear={() => {
              onFilter(withoutThrough)
            }}
          />
        )}
      </VerdictFilterLine>
    </>
  )
}

/** The findings of an SBOM, worst first, with the evidence of each in a drawer; several can be judged at once. */
export function FindingsTab({ sbom }: { sbom: SbomDetail }): ReactNode {
  const { slug } = useWorkspace()
  const navigate = useNavigate()
  const { filter, sort, open, addressOf } = useAsked(sbom.id)
  const [selected, setSelected] = useState(nothing)
  const findings = useInfiniteQuery(findingsQuery(slug, sbom.id, { ...filter, sort }))
  const { rows, total, onMore, onRetry } = listedRows(findings)
  const first = findings.data?.pages[0]
  const hidden = filter.verdict === undefined ? (first?.hidden ?? 0) : 0
  const isSilent = total === 0 && sbom.coverage.covered === 0

  return (
    <>
      <FailingSourcesLine />
      <Filters
        filter={filter}
        onFilter={(next) => {
          // What is chosen must be in sight to be judged, so another filter starts afresh.
          setSelected(nothing)
          void navigate(addressOf(next))
        }}
        found={{ ...(isSilent ? nothingKnown : { total, vulnerabilities: first?.vulnerabilities }), hidden }}
        updatedAtMs={findings.dataUpdatedAt}
        through={first?.through ?? null}
        allLink={addressOf({ ...filter, verdict: 'all' })}
        onExport={(format) =>
          saveFile(
            exportFindings,
            { params: { slug, sbom: sbom.id }, query: { ...asked({ ...filter, sort }), format } },
            `findings.${format}`,
          )
        }
      />
      {findings.error === null ? null : <Problem error={findings.error} onRetry={onRetry} />}
      <VirtualTable
        label="Findings"
        columns={findingListColumns}
        rows={rows}
        total={total ?? 0}
        rowId={({ id }) => id}
        rowLink={({ id }) => addressOf(filter, { finding: id })}
        openRow={open}
        sorting={{
          value: sort,
          onSort: (value) => {
            void navigate(addressOf(filter, { sort: orderOf(value) }))
          },
        }}
        selection={{ selected, onSelect: setSelected, rowName: nameOf, most: decisionLimits.findings }}
        empty={<EmptyFindings sbom={sbom} isFiltered={Object.keys(filter).length > 0} hidden={hidden} />}
        onMore={onMore}
      />
      <Selected {...{ sbom, filter, rows, total, selected }} onSelect={setSelected} />
      <FindingDrawer
        findingId={open}
        onClose={() => {
          void navigate(addressOf(filter))
        }}
      />
    </>
  )
}

function nameOf({ title, component }: FindingRow): string {
  return visibleText(`${title} in ${component.name}`)
}

type SelectedProps = {
  sbom: SbomDetail
  filter: FindingFilter
  rows: FindingRow[] | undefined
  total: number | undefined
  selected: ReadonlySet<string>
  onSelect: (next: ReadonlySet<string>) => void
}

/** What can be done with the chosen findings, or with all that the filter finds. */
function Selected({ sbom, filter, rows = [], total = 0, selected, onSelect }: SelectedProps): ReactNode {
  const all = useAllFindings(sbom.id, filter)
  return (
    <SelectedFindings
      selected={selected}
      exploited={all.exploitedAmong(selected, rows)}
      scopes={scopesOfVersion(sbom.version, sbom.family.name)}
      all={{
        total,
        isLoading: all.isLoading,
        onAll: () => {
          void all.read().then(onSelect)
        },
      }}
      onDone={() => {
        onSelect(nothing)
      }}
    />
  )
}
