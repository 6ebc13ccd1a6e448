import { sql } from 'kysely'
import type { Tx } from '../../database/connection.ts'
import { uuidList } from '../../platform/postgres/columns.ts'

/**
 * What incidents are about, closed ones too, goes on under the identity that their component has now, where an update has identified it as another one:
 * the SBOM states the same. Otherwise it would count as gone, and come as new: a closed incident would open again.
 * Indexes incident_affected_key, sbom_active, component_of_identity.
 */
export async function followIdentities(
  tx: Tx,
  { workspaceId, familyIds }: { workspaceId: string; familyIds: readonly string[] },
): Promise<void> {
  await sql`
    with gone as materialized (
      select a.incident_id, a.family_id, a.version_id, a.identity_id, s.component_numbers
      from incident_affected a
      join sbom s on s.family_id = a.family_id and s.version_id is not distinct from a.version_id and s.active
      where a.workspace_id = ${workspaceId} and a.family_id = any(${uuidList(familyIds)}) and not exists (
        select from component c
        where c.family_id = a.family_id and c.identity_id = a.identity_id and c.number = any(s.component_numbers)
      )
    ),
    known as materialized (
      select distinct on (g.incident_id, g.family_id, g.version_id, c.identity_id)
        g.incident_id, g.family_id, g.version_id, g.identity_id, c.identity_id as present_id
      from gone g
      join component n on n.family_id = g.family_id and n.identity_id = g.identity_id
      join component c on c.family_id = g.family_id and c.name = n.name and c.number = any(g.component_numbers)
        and (c.group_name, c.version, c.purl, c.cpe) is not distinct from (n.group_name, n.version, n.purl, n.cpe)
      where not exists (
        select from incident_affected b
        where b.incident_id = g.incident_id and b.family_id = g.family_id
          and b.version_id is not distinct from g.version_id and b.identity_id = c.identity_id
      )
      order by g.incident_id, g.family_id, g.version_id, c.identity_id, g.identity_id
    ),
    one as (
      select distinct on (incident_id, family_id, version_id, identity_id) * from known
      order by incident_id, family_id, version_id, identity_id, present_id
    )
    update incident_affected a set identity_id = o.present_id
    from one o
    where a.incident_id = o.incident_id and a.family_id = o.family_id and a.version_id is not distinct from o.version_id
      and a.identity_id = o.identity_id`.execute(tx)
}
