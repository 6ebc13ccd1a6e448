import { Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { exportIncidents } from '#contract/export-operations.ts'
import { saveFile } from '../../kit/api/save-file.ts'
import { ExportMenu, type ExportFormat } from '../../kit/actions/ExportMenu.tsx'
import { regimes } from '#contract/alerts/events.ts'
import type { IncidentCounts } from '#contract/incidents/waiting.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { present } from '../../kit/address/search.ts'
import type { IncidentFilter } from '../area.ts'
import { FilterSelect } from '../../kit/table/FilterSelect.tsx'
import { FilterChips, type FilterChoice } from '../../kit/table/FilterChips.tsx'
import { regimeNames } from '../words.ts'
import { SearchField } from '../../kit/table/SearchField.tsx'
import { formatCount } from '../../kit/text/format.ts'
import { FamilySelect } from '../../families/FamilySelect.tsx'

type Change = (next: IncidentFilter) => void
type Props = { filter: IncidentFilter; onFilter: Change }

export function IncidentFilters(props: Props & { counts: IncidentCounts | undefined }): ReactNode {
  const { filter, onFilter, counts } = props
  return (
    <>
      <SearchField
        label="Search incidents"
        value={filter.search}
        onSearch={(search) => {
          onFilter(present({ ...filter, search }))
        }}
      />
      <FilterChips label="Filters" choices={choicesOf(filter, onFilter, counts)} />
    </>
  )
}

/** Further filters, on a line below. */
export function IncidentChoices({ filter, onFilter }: Props): ReactNode {
  return (
    <Group gap="4px 12px">
      <StatusChoice filter={filter} onFilter={onFilter} />
      <RegimeChoice filter={filter} onFilter={onFilter} />
      <FamilySelect
        chosen={filter.family}
        onChoose={(family) => {
          onFilter(present({ ...filter, family }))
        }}
      />
      <ExportIncidents filter={filter} />
    </Group>
  )
}

function ExportIncidents({ filter }: { filter: IncidentFilter }): ReactNode {
  const { slug } = useWorkspace()
  const save = (format: ExportFormat) =>
    saveFile(exportIncidents, { params: { slug }, query: { ...filter, format } }, `incidents.${format}`)
  return <ExportMenu what="incidents" save={save} />
}

function choicesOf(
  filter: IncidentFilter,
  onFilter: Change,
  counts: IncidentCounts | undefined,
): FilterChoice[] {
  const choice = <Name extends 'due' | 'assignee' | 'waiting'>(
    name: Name,
    value: NonNullable<IncidentFilter[Name]>,
    label: string,
  ): FilterChoice => ({
    id: `${name} ${value}`,
    label,
    pressed: filter[name] === value,
    onToggle: () => {
      onFilter(present({ ...filter, [name]: filter[name] === value ? undefined : value }))
    },
  })
  return [
    choice('due', 'overdue', counted('Overdue', counts?.overdue)),
    choice('due', 'due_soon', counted('Due soon', counts?.dueSoon)),
    choice('waiting', 'me', counted('Waiting for me', counts?.waitingForMe)),
    choice('assignee', 'me', 'Mine'),
    choice('assignee', 'none', 'Nobody’s'),
  ]
}

function counted(words: string, count: number | undefined): string {
  return count === undefined || count === 0 ? words : `${words} ${formatCount(count)}`
}

function StatusChoice({ filter, onFilter }: Props): ReactNode {
  return (
    <FilterSelect
      label="Status"
      unset="Open"
      value={filter.status}
      choices={[
        { value: 'closed', label: 'Closed' },
        { value: 'all', label: 'Open and closed' },
      ]}
      onChoose={(status) => {
        onFilter(present({ ...filter, status }))
      }}
    />
  )
}

function RegimeChoice({ filter, onFilter }: Props): ReactNode {
  return (
    <FilterSelect
      label="Regime"
      unset="All regimes"
      value={filter.regime}
      choices={regimes.map((value) => ({ value, label: regimeNames[value] }))}
      onChoose={(regime) => {
        onFilter(present({ ...filter, regime }))
      }}
    />
  )
}
