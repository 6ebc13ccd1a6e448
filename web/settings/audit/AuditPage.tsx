import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, type ReactNode } from 'react'
import { exportAuditEvents } from '#contract/audit/operations.ts'
import { roleRefusal } from '../../workspaces/access.ts'
import { auditQuery } from './queries.ts'
import { saveFile } from '../../kit/api/save-file.ts'
import { listedRows } from '../../kit/api/listed.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import type { AuditFilter, AuditSearch } from '../paths.ts'
import { pages } from '../../paths.ts'
import { ExportMenu, type ExportFormat } from '../../kit/actions/ExportMenu.tsx'
import { Empty } from '../../kit/page/Empty.tsx'
import { PageHeader } from '../../kit/page/PageHeader.tsx'
import { Problem } from '../../kit/page/Problem.tsx'
import { TableNote } from '../../kit/table/TableNote.tsx'
import { TableTools } from '../../kit/table/TableTools.tsx'
import { VirtualTable } from '../../kit/table/VirtualTable.tsx'
import { TextLink } from '../../kit/text/links.tsx'
import { SettingsNav } from '../SettingsNav.tsx'
import { auditColumns } from './audit-columns.tsx'
import { AuditFilters } from './AuditFilters.tsx'
import { EventDrawer } from './EventDrawer.tsx'
import { useOpenEvent } from './use-open-event.ts'
import { filterStep } from '../../kit/address/filter-step.ts'

/** Who did what, when, on what and from where. Nothing in it can be changed (docs/audit.md). */
export default function AuditPage(): ReactNode {
  const workspace = useWorkspace()
  const { slug } = workspace
  const { event, ...filter } = useSearch({ from: '/signed-in/$slug/settings/audit' })
  const refused = roleRefusal(workspace, 'see_audit')
  const save = (format: ExportFormat) =>
    saveFile(exportAuditEvents, { params: { slug }, query: { ...filter, format } }, `${slug}-audit.${format}`)
  return (
    <>
      <PageHeader
        title="Audit trail"
        crumbs={[{ name: 'Settings' }]}
        about="What members, tokens and the service itself did, the newest first."
        actions={refused === undefined ? <ExportMenu what="the audit trail" save={save} /> : undefined}
      />
      <SettingsNav />
      {refused === undefined ? <Trail filter={filter} open={event} /> : <Empty why={refused} />}
    </>
  )
}

function Trail({ filter, open }: { filter: AuditFilter; open: string | undefined }): ReactNode {
  const { slug, timeZone } = useWorkspace()
  const navigate = useNavigate()
  const events = useInfiniteQuery(auditQuery(slug, filter))
  const { rows, total, onMore, onRetry } = listedRows(events)
  const openEvent = useOpenEvent(slug, { open, rows })
  const columns = useMemo(() => auditColumns(timeZone), [timeZone])
  const show = (search: AuditSearch): void => {
    void navigate({ ...pages.audit(slug, search), ...filterStep(filter, search) })
  }
  return (
    <>
      <TableTools
        filters={
          <AuditFilters
            filter={filter}
            object={rows?.find(({ object }) => object.id === filter.object)?.object}
            onFilter={show}
          />
        }
        note={
          <TableNote
            count={total}
            noun="event"
            isLowerBound={events.data?.pages[0]?.isLowerBound === true}
            updatedAtMs={events.dataUpdatedAt}
          />
        }
      />
      {events.error === null ? null : <Problem error={events.error} onRetry={onRetry} />}
      <VirtualTable
        label="Audit trail"
        columns={columns}
        rows={rows}
        total={Math.max(total ?? 0, rows?.length ?? 0)}
        rowId={({ id }) => String(id)}
        rowLink={({ id }) => ({
          ...pages.audit(slug, { ...filter, event: String(id) }),
          replace: true,
          resetScroll: false,
        })}
        openRow={open}
        empty={<NoEvent />}
        onMore={onMore}
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
