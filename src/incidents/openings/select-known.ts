import type { Db } from '../../database/connection.ts'
import { uuidList } from '../../platform/postgres/columns.ts'
import { sql } from 'kysely'
import type { KnownIncidents } from './plan-openings.ts'

/** What is known of incidents on these families. Call it under `lockOpenings`. Indexes incident_family_of, incident_affected_key. */
export async function selectKnown(
  db: Db,
  workspaceId: string,
  familyIds: readonly string[],
): Promise<KnownIncidents> {
  const families = uuidList(familyIds)
  const incidents = await sql<{
    incidentId: string
    familyId: string
    vulnKey: string
    aliases: string[]
    isOpen: boolean
  }>`
    select i.id as "incidentId", y.family_id as "familyId", y.vuln_key as "vulnKey", i.aliases, y.is_open as "isOpen"
    from incident_family y
    join incident i on i.workspace_id = y.workspace_id and i.id = y.incident_id
    where y.workspace_id = ${workspaceId} and y.family_id = any(${families}) and y.vuln_key is not null and not y.is_exercise
    order by i.opened_at desc, i.id desc`.execute(db)
  const affected = await sql<KnownIncidents['affected'][number]>`
    select distinct a.family_id as "familyId", a.version_id as "versionId", a.identity_id as "identityId", a.vuln_key as "vulnKey",
      i.aliases
    from incident_affected a
    join incident i on i.workspace_id = a.workspace_id and i.id = a.incident_id and not i.is_exercise
    where a.workspace_id = ${workspaceId} and a.family_id = any(${families})`.execute(db)
  return {
    open: incidents.rows.filter(({ isOpen }) => isOpen),
    closed: incidents.rows.filter(({ isOpen }) => !isOpen),
    affected: affected.rows,
  }
}
