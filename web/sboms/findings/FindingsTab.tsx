import { useSelected } from '../../kit/table/use-selected.ts'
import { visibleText } from '#contract/hidden-characters.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearch, type LinkOptions } from '@tanstack/react-router'
import type { ReactNode } from 'react'
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
import { pages } from '../../areas.ts'
import { formatNoun } from '../../kit/text/format.ts'
import { scopesOfVersion } from '../../findings/verdicts/decision-draft.ts'
import { SelectedFindings } from '../../findings/verdicts/SelectedFindings.tsx'
import { EmptyFindings } from './EmptyFindings.tsx'
import { FindingDrawer } from './FindingDrawer.tsx'
import { FailingSourcesLine } from '../../sources/FailingSources.tsx'
import { ScopeSelect } from '../../components/scope.tsx'
import { FindingFilters } from '../../findings/FindingFilters.tsx'
import { findingListColumns, unexploitedColumns } from './finding-list-columns.tsx'
import { ThroughFilter } from './through.tsx'
import { useAllFindings } from './use-all-findings.ts'
import { VerdictFilterLine } from '../../findings/VerdictFilterLine.tsx'
import { List } from '../../kit/table/List.tsx'
import type { Counted } from '../../kit/table/TableNote.tsx'
import { useSteps } from '../../kit/address/use-steps.ts'
import type { SbomSearch } from '../area.ts'

type Change = { sort?: FindingSort; finding?: string }

/** The filter, order and open finding in the address, and how to change them; the default order is left out. */
function useAsked(sbomId: string) {
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
  const searchOf = (other: FindingFilter, { sort: order = sort, finding }: Change = {}): SbomSearch =>
    present({ ...other, sort: order === 'urgency' ? undefined : order, finding })
  const steps = useSteps(searchOf(filter), (next: SbomSearch) => pages.sbom(slug, sbomId, next))
  return {
    filter,
    sort,
    /** The finding whose evidence is open. */
    open,
    linkTo: (other: FindingFilter, change?: Change) => steps.linkTo(searchOf(other, change)),
    show: (other: FindingFilter, change?: Change) => {
      steps.show(searchOf(other, change))
    },
  }
}

function orderOf(word: string | undefined): FindingSort {
  return findingSorts.find((choice) => choice === word) ?? 'urgency'
}

type FiltersProps = { filter: FindingFilter; onFilter: (next: FindingFilter) => void }

function Filters(props: FiltersProps & { sbomId: string; sort: FindingSort }): ReactNode {
  const { filter, onFilter, sbomId, sort } = props
  const { slug } = useWorkspace()
  const save = (format: ExportFormat) =>
    saveFile(
      exportFindings,
      { params: { slug, sbom: sbomId }, query: { ...asked({ ...filter, sort }), format } },
      `findings.${format}`,
    )
  return (
    <>
      <FindingFilters filter={filter} onFilter={onFilter} />
      <ExportMenu what="findings" save={save} />
    </>
  )
}

type FurtherProps = FiltersProps & {
  hidden: number
  allLink: LinkOptions
  /** The direct dependency of an active `through` filter. */
  through: DependencyStep | null
}

function FurtherFilters({ filter, onFilter, through, ...line }: FurtherProps): ReactNode {
  const { through: _through, ...withoutThrough } = filter
  return (
    <VerdictFilterLine
      {...line}
      value={filter.verdict ?? 'open'}
      onChange={(verdict) => {
        const { verdict: _verdict, ...others } = filter
        onFilter(verdict === 'open' ? others : { ...others, verdict })
      }}
    >
      <ScopeSelect
        chosen={filter.scope}
        onChoose={(scope) => {
          onFilter(present({ ...filter, scope }))
        }}
      />
      {through === null ? null : (
        <ThroughFilter
          through={through}
          onClear={() => {
            onFilter(withoutThrough)
          }}
        />
      )}
    </VerdictFilterLine>
  )
}

/** The findings of an SBOM, worst first, each with its evidence in a drawer; several can be judged at once. */
export function FindingsTab({ sbom }: { sbom: SbomDetail }): ReactNode {
  const { slug } = useWorkspace()
  const { filter, sort, open, linkTo, show } = useAsked(sbom.id)
  const chosen = useSelected(JSON.stringify([sbom.id, filter]))
  const findings = listedRows(useInfiniteQuery(findingsQuery(slug, sbom.id, { ...filter, sort })))
  const { rows, total, first } = findings
  const hidden = filter.verdict === undefined ? (first?.hidden ?? 0) : 0
  const filters = {
    filter,
    onFilter: (next: FindingFilter) => {
      show(next)
    },
  }
  return (
    <>
      <FailingSourcesLine />
      <List
        list={findings}
        note={noteOf(sbom, first)}
        filters={<Filters {...filters} sbomId={sbom.id} sort={sort} />}
        below={
          <FurtherFilters
            {...filters}
            hidden={hidden}
            through={first?.through ?? null}
            allLink={linkTo({ ...filter, verdict: 'all' })}
          />
        }
        scrolls
        label="Findings"
        columns={first?.exploited === 0 ? unexploitedColumns : findingListColumns}
        rowId={({ id }) => id}
        rowLink={({ id }) => linkTo(filter, { finding: id })}
        openRow={open}
        sorting={{
          value: sort,
          onSort: (value) => {
            show(filter, { sort: orderOf(value) })
          },
        }}
        selection={{ ...chosen, rowName: nameOf, max: decisionLimits.findings }}
        empty={<EmptyFindings sbom={sbom} isFiltered={Object.keys(filter).length > 0} hidden={hidden} />}
      />
      <Selected sbom={sbom} filter={filter} rows={rows} total={total} chosen={chosen} />
      <FindingDrawer
        findingId={open}
        onClose={() => {
          show(filter)
        }}
      />
    </>
  )
}

/** Where no component could be checked, no number may suggest that nothing was found. */
function noteOf(
  { coverage }: SbomDetail,
  first: { total: number; vulnerabilities: number } | undefined,
): Counted {
  const isSilent = first?.total === 0 && coverage.covered === 0
  const known = isSilent ? undefined : first
  return {
    noun: 'finding',
    count: known?.total,
    also:
      known === undefined ? undefined : formatNoun(known.vulnerabilities, 'vulnerability', 'vulnerabilities'),
  }
}

function nameOf({ title, component }: FindingRow): string {
  return visibleText(`${title} in ${component.name}`)
}

type SelectedProps = {
  sbom: SbomDetail
  filter: FindingFilter
  rows: FindingRow[] | undefined
  total: number | undefined
  chosen: ReturnType<typeof useSelected>
}

/** Actions on the selected findings, or on all that match the filter. */
function Selected({ sbom, filter, rows = [], total = 0, chosen }: SelectedProps): ReactNode {
  const { selected, onSelect, clear } = chosen
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
          all.read(onSelect)
        },
      }}
      onDone={() => {
        all.giveUp()
        clear()
      }}
    />
  )
}
