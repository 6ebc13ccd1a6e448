import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../../database/connection.ts'
import { uuidList } from '../../platform/postgres/columns.ts'
import { isSaidAlike, namesakes, saidOf } from '../../sbom/components/namesakes.ts'

type Families = { workspaceId: string; familyIds: readonly string[] }

/**
 * What incidents are about, closed ones too, and what somebody has put aside go on under the identity that their component has now, where an update
 * has identified it as another one: the SBOM states the same. Otherwise it would count as gone, and come as new: a closed incident would open again.
 */
export async function followIdentities(tx: Tx, families: Families): Promise<void> {
  await sql`
    with ${followed({ table: 'incident_affected', subject: 'incident_id' }, families)}
    update incident_affected a set identity_id = f.present_id
    from followed f
    where a.incident_id = f.subject and ${isSamePart}`.execute(tx)
  await sql`
    with ${followed({ table: 'dismissed_match', subject: 'group_id' }, families)}
    update dismissed_match a set identity_id = f.present_id
    from followed f
    where a.group_id = f.subject and ${isSamePart}`.execute(tx)
}

const isSamePart = sql`a.family_id = f.family_id and a.version_id is not distinct from f.version_id and a.identity_id = f.identity_id`

/** A table with one row for each subject and component. */
type Remembered = { table: 'incident_affected' | 'dismissed_match'; subject: string }

/**
 * The common table expression `followed`: rows whose component the active SBOM of their version lists under another identity only, `present_id`. One row
 * takes each identity over. Indexes incident_affected_key, dismissed_match_subject, sbom_active, component_of_identity.
 */
function followed({ table, subject }: Remembered, { workspaceId, familyIds }: Families): RawBuilder<unknown> {
  const subjectOf = (alias: string) => sql.ref(`${alias}.${subject}`)
  return sql`
    gone as materialized (
      select ${subjectOf('a')} as subject, a.family_id, a.version_id, a.identity_id, s.component_numbers
      from ${sql.table(table)} a
      join sbom s on s.family_id = a.family_id and s.version_id is not distinct from a.version_id and s.active
      where a.workspace_id = ${workspaceId} and a.family_id = any(${uuidList(familyIds)}) and not exists (
        select from component c
        where c.family_id = a.family_id and c.identity_id = a.identity_id and c.number = any(s.component_numbers)
      )
    ),
    wanted as materialized (
      select g.subject, g.version_id, g.identity_id, g.component_numbers, ${saidOf}
      from gone g
      join component n on n.family_id = g.family_id and n.identity_id = g.identity_id
    ),
    ${namesakes},
    taken_over as materialized (
      select distinct on (n.subject, n.family_id, n.version_id, c.identity_id)
        n.subject, n.family_id, n.version_id, n.identity_id, c.identity_id as present_id
      from wanted n
      join namesake c on ${isSaidAlike} and c.number = any(n.component_numbers)
      where not exists (
        select from ${sql.table(table)} b
        where ${subjectOf('b')} = n.subject and b.family_id = n.family_id
          and b.version_id is not distinct from n.version_id and b.identity_id = c.identity_id
      )
      order by n.subject, n.family_id, n.version_id, c.identity_id, n.identity_id
    ),
    followed as (
      select distinct on (subject, family_id, version_id, identity_id) * from taken_over
      order by subject, family_id, version_id, identity_id, present_id
    )`
}
