import { sql } from 'kysely'
import type { Db } from '../database/connection.ts'
import type { VersionSlot } from './version-slot.ts'

/**
 * Whether an open incident is about a component of the version, and so records its changes. `withoutFinding`: about one that no record names
 * any more, whose leaving changes no finding. Index incident_affected_key.
 */
export async function isUnderIncident(
  db: Db,
  { workspaceId, familyId, versionId }: VersionSlot,
  { withoutFinding = false } = {},
): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from incident_affected a
      join incident_family y on y.incident_id = a.incident_id and y.family_id = a.family_id and y.is_open
      where a.workspace_id = ${workspaceId} and a.family_id = ${familyId} and a.version_id is not distinct from ${versionId}::uuid
        ${withoutFinding ? sql`and a.noted_unnamed` : sql``}
    ) as found`.execute(db)
  return rows[0]?.found === true
}
