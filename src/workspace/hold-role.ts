import { ServiceError } from '../contract/errors.ts'
import { isAllowed, type Permission, type Role } from '../contract/roles.ts'
import type { Actor } from '../audit/record-acts.ts'
import type { Tx } from '../database/connection.ts'

type Acting = { workspaceId: string; actor: Pick<Actor, 'id'> }

/**
 * The role that the acting member has now, held until the transaction ends: whoever takes it away waits. It may have ended since the request was let in. Several
 * permissions: any of them suffices. Codes: `forbidden`.
 */
export async function holdRole(
  tx: Tx,
  { workspaceId, actor }: Acting,
  permission: Permission | readonly Permission[],
): Promise<Role> {
  const member = await tx
    .selectFrom('member')
    .select('role')
    .where('workspace_id', '=', workspaceId)
    .where('person_id', '=', actor.id)
    .where('removed_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  const needed = typeof permission === 'string' ? [permission] : permission
  if (member === undefined || !needed.some((one) => isAllowed(member.role, one)))
    throw new ServiceError('forbidden')
  return member.role
}
