import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useMemo, type ReactNode } from 'react'
import { exportAuditEvents } from '#contract/audit/operations.ts'
import { roleRefusal } from '../../workspaces/access.ts'
import { auditQuery } from './queries.ts'
import { saveFile } from '../../kit/api/save-file.ts'
import { listedRows } from '../../kit/api/listed.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import type { AuditFilter, AuditSearch } from '../area.ts'
import { pages } from '../../areas.ts'
import { ExportMenu, type ExportFormat } from '../../kit/actions/ExportMenu.tsx'
import { Empty } from '../../kit/page/Empty.tsx'
import { TextLink } from '../../kit/text/links.tsx'
import { auditColumns } from './audit-columns.tsx'
import { AuditFilters } from './AuditFilters.tsx'
import { EventDrawer } from './EventDrawer.tsx'
import { useOpenEvent } from './use-open-event.ts'
import { List } from '../../kit/table/List.tsx'
import { useSteps } from '../../kit/address/use-steps.ts'
import { SettingsPage } from '../SettingsPage.tsx'

/** Who did what, when, to what and from where. Append-only (docs/audit.md). */
export default function AuditPage(): ReactNode {
  const workspace = useWorkspace()
  const { slug } = workspace
  const { event, ...filter } = useSearch({ from: '/signed-in/$slug/settings/audit' })
  const refused = roleRefusal(workspace, 'see_audit')
  const save = (format: ExportFormat) =>
    saveFile(exportAuditEvents, { params: { slug }, query: { ...filter, format } }, `${slug}-audit.${format}`)
  return (
    <SettingsPage
      title="Audit trail"
      about="What members, tokens and the service itself did, the newest first."
      actions={refused === undefined ? <ExportMenu what="the audit trail" save={save} /> : undefined}
    >
      {refused === undefined ? <Trail filter={filter} open={event} /> : <Empty why={refused} />}
    </SettingsPage>
  )
}

function Trail({ filter, open }: { filter: AuditFilter; open: string | undefined }): ReactNode {
  const { slug, timeZone } = useWorkspace()
  const events = listedRows(useInfiniteQuery(auditQuery(slug, filter)))
  const { rows, first } = events
  const openEvent = useOpenEvent(slug, { open, rows })
  const columns = useMemo(() => auditColumns(timeZone), [timeZone])
  const { linkTo, show } = useSteps(filter, (next: AuditSearch) => pages.audit(slug, next))
  return (
    <>
      <List
        list={events}
        note={{ noun: 'event', isLowerBound: first?.isLowerBound === true }}
        filters={
          <AuditFilters
            filter={filter}
            object={rows?.find(({ object }) => object.id === filter.object)?.object}
            onFilter={show}
          />
        }
        scrolls
        label="Audit trail"
        columns={columns}
        rowId={({ id }) => String(id)}
        rowLink={({ id }) => linkTo({ ...filter, event: String(id) })}
        openRow={open}
        empty={<NoEvent />}
      />
      <EventDrawer
        {...openEvent}
        filter={filter}
        onClose={() => {
          show(filter)
        }}
      />
    </>
  )
}

function NoEvent(): ReactNode {
  const { slug } = useWorkspace()
  return (
    <Empty
      why="No event matches the filters."
      next={<TextLink {...pages.audit(slug)}>Show all events</TextLink>}
    />
  )
}
