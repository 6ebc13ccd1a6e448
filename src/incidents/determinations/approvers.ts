import { sql } from 'kysely'
import { isAllowed, roleAllows, type Role } from '../../contract/roles.ts'
import type { Approval } from '../../contract/incidents/shapes.ts'
import type { Db } from '../../database/connection.ts'

/** An active member who may decide what somebody else recorded. */
export type Approver = { personId: string; role: Role }

/** Every active member who may approve, by the roles they have now. */
export async function selectApprovers(db: Db, workspaceId: string): Promise<Approver[]> {
  return db
    .selectFrom('member')
    .select(['person_id as personId', 'role'])
    .where('workspace_id', '=', workspaceId)
    .where('removed_at', 'is', null)
    .where('role', '=', sql<Role>`any(${[...roleAllows.approve_incidents]}::text[])`)
    .orderBy('person_id')
    .execute()
}

/** Whether a member may decide what `recordedBy` recorded; it compares people, so another role or session makes no difference. */
export function approvalFor(
  { personId, role }: { personId: string; role: Role },
  recordedBy: string,
  approvers: readonly Approver[],
): Approval {
  if (!isAllowed(role, 'approve_incidents')) {
    return refused('Only owners, admins and leads can decide this.')
  }
  if (personId !== recordedBy) return { allowed: true, refusal: null, override: false }
  const others = approvers.filter((approver) => approver.personId !== recordedBy)
  const override = role === 'owner' && others.length === 0
  return { ...refused('You recorded this: a second person has to decide.'), override }
}

function refused(refusal: string): Approval {
  return { allowed: false, refusal, override: false }
}
