import { sql } from 'kysely'
import type { IncidentDetail } from '../../contract/incidents.ts'
import { isAllowed } from '../../contract/roles.ts'
import type { Db } from '../../database/connection.ts'
import type { Asking } from './who-asks.ts'

/** What an incident is linked with outside itself. Indexes advisory_link_object, inbox_report_incident_of. */
export async function selectLinked(
  db: Db,
  { workspaceId, role }: Asking,
  incidentId: string,
): Promise<Pick<IncidentDetail, 'advisories' | 'inboxReports'>> {
  const { rows: advisories } = await sql<IncidentDetail['advisories'][number]>`
    select a.id, a.tracking_id as "trackingId", v.number
    from advisory_link l
    join advisory a on a.id = l.advisory_id
    left join advisory_version v on v.advisory_id = a.id and v.ordinal = a.current_ordinal
    where l.workspace_id = ${workspaceId} and l.kind = 'incident' and l.object_id = ${incidentId}
    order by l.linked_at, a.id`.execute(db)
  if (!isAllowed(role, 'see_inbox')) return { advisories, inboxReports: [] }
  const inboxReports = await db
    .selectFrom('inbox_report_incident as l')
    .innerJoin('inbox_report as r', 'r.id', 'l.report_id')
    .select(['r.number', 'r.state'])
    .where('l.workspace_id', '=', workspaceId)
    .where('l.incident_id', '=', incidentId)
    .orderBy('r.number')
    .execute()
  return { advisories, inboxReports }
}
