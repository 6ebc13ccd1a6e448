import { ServiceError } from '../contract/errors.ts'
import { isAllowed, type Permission, type Role } from '../contract/roles.ts'
import type { Actor } from '../audit/record-acts.ts'
import type { Tx } from '../database/connection.ts'

type Acting = { workspaceId: string; actor: Pick<Actor, 'id'> }

/**
 * The role that the acting member has now, held until the transaction ends: whoever takes it away waits. For acts that count for another person, or whose
 * effect outlives a membership: it may have ended since the request was let in. Codes: `forbidden`.
 */
export async function holdRole(
  tx: Tx,
  { workspaceId, actor }: Acting,
  permission: Permission,
): Promise<Role> {
  const member = await tx
    .selectFrom('member')
    .select('role')
    .where('workspace_id', '=', workspaceId)
    .where('person_id', '=', actor.id)
    .where('removed_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  if (member === undefined || !isAllowed(member.role, permission)) throw new ServiceError('forbidden')
  return member.role
}
