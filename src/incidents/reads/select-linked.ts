import { sql } from 'kysely'
import type { IncidentDetail } from '../../contract/incidents/shapes.ts'
import { isAllowed } from '../../contract/roles.ts'
import type { Db } from '../../database/connection.ts'
import type { IncidentKey } from './select-decisions.ts'
import type { Asking } from './who-asks.ts'

/** What an incident is linked with outside itself, as far as the member who asks sees it. */
export async function selectLinked(
  db: Db,
  { workspaceId, role }: Asking,
  incidentId: string,
): Promise<Pick<IncidentDetail, 'vexDocuments' | 'advisories' | 'inboxReports'>> {
  const place = { workspaceId, incidentId }
  return {
    vexDocuments: await selectVexDocuments(db, place),
    advisories: await selectAdvisories(db, place),
    inboxReports: isAllowed(role, 'see_inbox') ? await selectInboxReports(db, place) : [],
  }
}

/** The VEX documents whose verdict is in force on what is affected. Indexes incident_affected_subject, finding_subject. */
export async function selectVexDocuments(
  db: Db,
  { workspaceId, incidentId }: IncidentKey,
): Promise<IncidentDetail['vexDocuments']> {
  const { rows } = await sql<IncidentDetail['vexDocuments'][number]>`
    select distinct d.id, coalesce(d.document_id, d.id::text) as name, f.verdict
    from incident_affected a
    join finding f on f.family_id = a.family_id and f.version_id is not distinct from a.version_id
      and f.identity_id = a.identity_id and f.group_id = a.group_id and f.closed_at is null
    join vex_document d on d.id = f.verdict_document_id
    where a.workspace_id = ${workspaceId} and a.incident_id = ${incidentId}
    order by d.id, f.verdict`.execute(db)
  return rows
}

/** Index advisory_link_object. */
export async function selectAdvisories(
  db: Db,
  { workspaceId, incidentId }: IncidentKey,
): Promise<IncidentDetail['advisories']> {
  const { rows } = await sql<IncidentDetail['advisories'][number]>`
    select a.id, a.tracking_id as "trackingId", v.number
    from advisory_link l
    join advisory a on a.id = l.advisory_id
    left join advisory_version v on v.advisory_id = a.id and v.ordinal = a.current_ordinal
    where l.workspace_id = ${workspaceId} and l.kind = 'incident' and l.object_id = ${incidentId}
    order by l.linked_at, a.id`.execute(db)
  return rows
}

/** Index inbox_report_incident_of. */
export async function selectInboxReports(
  db: Db,
  { workspaceId, incidentId }: IncidentKey,
): Promise<IncidentDetail['inboxReports']> {
  return db
    .selectFrom('inbox_report_incident as l')
    .innerJoin('inbox_report as r', 'r.id', 'l.report_id')
    .select(['r.number', 'r.state'])
    .where('l.workspace_id', '=', workspaceId)
    .where('l.incident_id', '=', incidentId)
    .orderBy('r.number')
    .execute()
}
