import * as contract from '../../../contract/audit/operations.ts'
import { allEvents, auditColumns } from '../../../audit/reads/export-events.ts'
import { findEvent, listActors, listEvents } from '../../../audit/reads/list-events.ts'
import { selectEvents } from '../../../audit/reads/select-events.ts'
import { routesOf } from '../routing/handle.ts'
import { listDownload } from './list-download.ts'

/** Who did what in a workspace (docs/audit.md). */
export const auditRoutes = routesOf(contract, {
  listAuditEvents: ({ workspaceId, workspace, query, deps }) => {
    const { cursor, ...filters } = query
    return listEvents(deps.db, { workspaceId, timeZone: workspace.time_zone, ...filters }, cursor)
  },

  getAuditEvent: ({ workspaceId, workspace, params, deps }) =>
    findEvent(deps.db, { workspaceId, timeZone: workspace.time_zone }, params.event),

  listAuditActors: ({ workspaceId, deps }) => listActors(deps.db, workspaceId),

  exportAuditEvents: ({ query, ...member }) => {
    const { workspaceId, workspace, deps } = member
    const { format: _format, ...filters } = query
    const scope = { workspaceId, timeZone: workspace.time_zone, ...filters }
    return listDownload(member, {
      name: 'audit',
      action: 'audit.exported',
      query,
      columns: auditColumns,
      about: { timeZone: workspace.time_zone },
      read: (tx) => allEvents(tx, scope),
      // written after the exported moment; it is in the file only if the filters include it
      first: (recordId) =>
        selectEvents(deps.db, { ...scope, event: String(recordId), after: undefined, rows: 1 }),
    })
  },
})
