import { ServiceError } from '../../contract/errors.ts'
import { isAllowed, type Role } from '../../contract/roles.ts'
import type { Actor } from '../../audit/record-acts.ts'

/** Who acts on the members of a workspace; `role` is their own. */
export type MemberAct = { workspaceId: string; role: Role; actor: Actor; now: Date }

/** Codes: `forbidden` where only an owner may act on, or make, a member of the other role. */
export function requireRoleAllows(role: Role, other: Role): void {
  if (other !== 'owner' || isAllowed(role, 'grant_owner')) return
  throw new ServiceError('forbidden', {
    message: 'Only owners can make somebody an owner, or take that role away.',
  })
}
