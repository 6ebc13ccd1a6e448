import { sql, type RawBuilder } from 'kysely'
import { isAllowed, roleAllows, type Role } from '../../contract/roles.ts'

/** The member who asks, in their workspace. */
export type Asking = { workspaceId: string; personId: string; role: Role }

/**
 * Whether the asking member may decide a pending row with `recorded_by`: somebody else's or, where nobody else can, an owner's own.
 */
export function mayDecide({ workspaceId, personId, role }: Asking, row: 'd' | 'w'): RawBuilder<boolean> {
  if (!isAllowed(role, 'approve_incidents')) return sql<boolean>`false`
  const isAnothers = sql<boolean>`${sql.ref(`${row}.recorded_by`)} <> ${personId}`
  if (role !== 'owner') return isAnothers
  return sql<boolean>`(${isAnothers} or not exists (
    select from member m
    where m.workspace_id = ${workspaceId} and m.person_id <> ${personId} and m.removed_at is null
      and m.role = any(${[...roleAllows.approve_incidents]}::text[])
  ))`
}

/** What waits for a second person, drills left out: `waiting (incident_id, determination_id, value, recorded_by, recorded_by_name, recorded_at)`. */
export function waitingIn(workspaceId: string): RawBuilder<unknown> {
  return sql`
    waiting as materialized (
      select d.incident_id, d.id as determination_id, d.value, d.recorded_by, d.recorded_by_name, d.recorded_at
      from determination d
      join incident i on i.workspace_id = d.workspace_id and i.id = d.incident_id and not i.is_exercise
      where d.workspace_id = ${workspaceId} and d.state = 'pending'
      union all
      select c.incident_id, null, null, c.recorded_by, c.recorded_by_name, c.recorded_at
      from awareness_change c
      join incident i on i.workspace_id = c.workspace_id and i.id = c.incident_id and not i.is_exercise
      where c.workspace_id = ${workspaceId} and c.state = 'pending'
    )`
}
