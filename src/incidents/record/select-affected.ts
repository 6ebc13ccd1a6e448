import type { Db } from '../../database/connection.ts'

export type AffectedComponent = Awaited<ReturnType<typeof selectAffected>>[number]

/** The versions and components that an incident is about, by component. Index incident_affected_subject. */
export function selectAffected(db: Db, workspaceId: string, incidentId: string) {
  return db
    .selectFrom('incident_affected as a')
    .innerJoin('family as y', 'y.id', 'a.family_id')
    .select(['a.family_id', 'y.name as family', 'a.version', 'a.identity_id', 'a.group_id', 'a.listed_by'])
    .select(['a.component', 'a.component_version', 'a.purl', 'a.added_at'])
    .where('a.workspace_id', '=', workspaceId)
    .where('a.incident_id', '=', incidentId)
    .orderBy('a.component')
    .orderBy('a.component_version')
    .execute()
}
