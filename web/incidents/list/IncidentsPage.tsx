import { useSelected } from '../../kit/table/use-selected.ts'
import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useMemo, type ReactNode } from 'react'
import type { IncidentCounts } from '#contract/incidents/waiting.ts'
import { visibleText } from '#contract/hidden-characters.ts'
import { refusal } from '../../workspaces/access.ts'
import { incidentsQuery } from '../queries.ts'
import { listedRows } from '../../kit/api/listed.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import type { IncidentFilter, IncidentsSearch } from '../area.ts'
import { pages } from '../../areas.ts'
import { ActionButton } from '../../kit/actions/ActionButton.tsx'
import { incidentColumns } from '../incident-columns.tsx'
import { Empty } from '../../kit/page/Empty.tsx'
import { PageHeader } from '../../kit/page/PageHeader.tsx'
import { TextLink } from '../../kit/text/links.tsx'
import { IncidentsNav } from '../IncidentsNav.tsx'
import { IncidentChoices, IncidentFilters } from './IncidentFilters.tsx'
import { OpenIncidentModal } from './OpenIncidentModal.tsx'
import { maxSelected, SelectedIncidents } from './SelectedIncidents.tsx'
import { List } from '../../kit/table/List.tsx'
import { useSteps } from '../../kit/address/use-steps.ts'

/** Every incident, next deadline first; several can be selected for one act. */
export default function IncidentsPage(): ReactNode {
  const workspace = useWorkspace()
  const { slug } = workspace
  const { dialog, malware, ...filter } = useSearch({ from: '/signed-in/$slug/incidents' })
  const { show } = useSteps(filter, (next: IncidentsSearch) => pages.incidents(slug, next))
  const refused = refusal(workspace, 'work_on_incidents')

  return (
    <>
      <PageHeader
        title="Incidents"
        about="Exploited vulnerabilities and severe incidents in your products, the next deadline first."
        actions={
          <ActionButton
            leftSection={<IconPlus size={16} />}
            refused={refused}
            onClick={() => {
              show({ ...filter, dialog: 'open' })
            }}
          >
            Open incident
          </ActionButton>
        }
      />
      <IncidentsNav />
      <IncidentList filter={filter} onFilter={show} />
      <OpenIncidentModal
        opened={dialog !== undefined && refused === undefined}
        isDrill={dialog === 'drill'}
        known={{ ...filter, malware }}
        onClose={() => {
          show(filter)
        }}
      />
    </>
  )
}

type ListProps = { filter: IncidentFilter; onFilter: (next: IncidentFilter) => void }

function IncidentList({ filter, onFilter }: ListProps): ReactNode {
  const { slug, timeZone } = useWorkspace()
  const { selected, onSelect, clear } = useSelected(JSON.stringify(filter))
  const incidents = listedRows(useInfiniteQuery(incidentsQuery(slug, filter)))
  const { rows = [], first } = incidents
  const columns = useMemo(() => incidentColumns(timeZone), [timeZone])
  const filters = { filter, onFilter }
  return (
    <>
      <List
        list={incidents}
        note={{ noun: 'incident' }}
        filters={<IncidentFilters {...filters} counts={first?.counts} />}
        below={<IncidentChoices {...filters} />}
        scrolls
        label="Incidents"
        columns={columns}
        rowId={({ id }) => id}
        rowLink={({ id }) => pages.incident(slug, id)}
        selection={{
          selected,
          onSelect,
          rowName: ({ reference, title }) => visibleText(`${reference}, ${title}`),
          max: maxSelected,
        }}
        empty={<NoIncidents isFiltered={Object.keys(filter).length > 0} counts={first?.counts} />}
      />
      <SelectedIncidents selected={selected} rows={rows} onDone={clear} />
    </>
  )
}

function NoIncidents({
  isFiltered,
  counts,
}: {
  isFiltered: boolean
  counts: IncidentCounts | undefined
}): ReactNode {
  const { slug } = useWorkspace()
  if (isFiltered) {
    return (
      <Empty
        why="No incident matches the filters."
        next={
          <TextLink {...pages.incidents(slug)} resetScroll={false}>
            {counts === undefined || counts.open === 0
              ? 'Show open incidents'
              : `Show the ${counts.open} open ones`}
          </TextLink>
        }
      />
    )
  }
  return (
    <Empty
      why="No incident is open. One is opened automatically when an exploited vulnerability exactly matches a component of an active SBOM."
      next={<TextLink {...pages.incidents(slug, { status: 'all' })}>Show closed ones too</TextLink>}
    />
  )
}
