import * as contract from '../../../contract/operations/audit.ts'
import { exportEvents, refuseTooMany } from '../../../views/audit/export-events.ts'
import { findEvent, listActors, listEvents } from '../../../views/audit/list-events.ts'
import { noteExport } from '../../../workspace/audit-trail/note-export.ts'
import { routesOf } from '../routing/handle.ts'
import { tableDownload } from './table-download.ts'

/** Who did what in a workspace (docs/audit.md). */
export const auditRoutes = routesOf(contract, {
  listAuditEvents: ({ workspaceId, workspace, query, deps }) => {
    const { cursor, ...filters } = query
    return listEvents(deps.db, { workspaceId, timeZone: workspace.time_zone, ...filters }, cursor)
  },

  getAuditEvent: ({ workspaceId, workspace, params, deps }) =>
    findEvent(deps.db, { workspaceId, timeZone: workspace.time_zone }, params.event),

  listAuditActors: ({ workspaceId, deps }) => listActors(deps.db, workspaceId),

  exportAuditEvents: async ({ workspaceId, workspace, actor, now, query, deps }) => {
    const { format = 'csv', ...filters } = query
    const scope = { workspaceId, timeZone: workspace.time_zone, ...filters }
    await refuseTooMany(deps.db, scope)
    const object = { kind: 'workspace', id: workspaceId, name: workspace.company_name } as const
    await noteExport(deps.db, {
      ...{ workspaceId, actor, now, object },
      action: 'audit.exported',
      asked: { format, ...filters },
    })
    const about = { workspace: workspace.slug, timeZone: workspace.time_zone, filters }
    const content = exportEvents(deps.db, scope, { format, exportedAt: now, about })
    return tableDownload(`${workspace.slug}-audit`, { format, now, content })
  },
})
