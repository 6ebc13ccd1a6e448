import { Group, NativeSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import { exportIncidents } from '#contract/export-operations.ts'
import { saveFile } from '../../kit/api/save-file.ts'
import { ExportMenu, type ExportFormat } from '../../kit/actions/ExportMenu.tsx'
import { regimes } from '#contract/alerts/events.ts'
import type { IncidentCounts } from '#contract/incidents/waiting.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { present } from '../../kit/address/search.ts'
import type { IncidentFilter } from '../paths.ts'
import { FilterChips, type FilterChoice } from '../../kit/table/FilterChips.tsx'
import { regimeNames } from '../words.ts'
import { SearchField } from '../../kit/table/SearchField.tsx'
import { TableNote } from '../../kit/table/TableNote.tsx'
import { TableTools } from '../../kit/table/TableTools.tsx'
import { formatCount } from '../../kit/text/format.ts'
import { FamilySelect } from '../../families/FamilySelect.tsx'

type Change = (next: IncidentFilter) => void
type Props = {
  filter: IncidentFilter
  onFilter: Change
  counts: IncidentCounts | undefined
  total: number | undefined
  updatedAtMs: number
}

/** What is asked for, in the address, and how much of it there is. */
export function IncidentFilters({ filter, onFilter, counts, total, updatedAtMs }: Props): ReactNode {
  return (
    <>
      <TableTools
        filters={
          <>
            <SearchField
              label="Search incidents"
              value={filter.search ?? ''}
              onSearch={(search) => {
                onFilter(present({ ...filter, search: search === '' ? undefined : search }))
              }}
            />
            <FilterChips label="Filters" choices={choicesOf(filter, onFilter, counts)} />
          </>
        }
        note={<TableNote count={total} noun="incident" updatedAtMs={updatedAtMs} />}
      />
      <Group gap="4px 12px" mb={8}>
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
    </>
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

type ChoiceProps = { filter: IncidentFilter; onFilter: Change }

function StatusChoice({ filter, onFilter }: ChoiceProps): ReactNode {
  return (
    <NativeSelect
      size="xs"
      aria-label="Status"
      value={filter.status ?? 'open'}
      data={[
        { value: 'open', label: 'Open' },
        { value: 'closed', label: 'Closed' },
        { value: 'all', label: 'Open and closed' },
      ]}
      onChange={({ currentTarget: { value } }) => {
        const status = value === 'closed' || value === 'all' ? value : undefined
        onFilter(present({ ...filter, status }))
      }}
    />
  )
}

function RegimeChoice({ filter, onFilter }: ChoiceProps): ReactNode {
  return (
    <NativeSelect
      size="xs"
      aria-label="Regime"
      value={filter.regime ?? ''}
      data={[
        { value: '', label: 'All regimes' },
        ...regimes.map((regime) => ({ value: regime, label: regimeNames[regime] })),
      ]}
      onChange={({ currentTarget: { value } }) => {
        onFilter(present({ ...filter, regime: regimes.find((regime) => regime === value) }))
      }}
    />
  )
}
