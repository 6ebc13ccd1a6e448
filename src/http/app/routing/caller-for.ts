import type { FastifyRequest } from 'fastify'
import type { AppOperation } from '../../../contract/operation.ts'
import type { Permission } from '../../../contract/roles.ts'
import { stateCapabilities } from '../../../contract/workspace/plans.ts'
import type { SignedInPerson } from '../../../people/sessions.ts'
import { requireFresh, requireOwnProof } from '../../../people/fresh.ts'
import { refuseWhenReadOnly } from '../../../workspace/state.ts'
import { networkOf } from '../../../platform/client-address.ts'
import { noWorkspace, type BodyOwner } from '../../bodies/arriving-bodies.ts'
import { clientAddress } from '../../client-address.ts'
import type { HttpDeps } from '../../deps.ts'
import { member, requirePermission, signedInPerson, type Member } from './member.ts'

type SignedIn = { person: SignedInPerson; now: Date }

/** Who asks, by what the operation asks of them. */
export type CallerFor<Needed> = Needed extends 'anyone'
  ? { now: Date }
  : Needed extends 'signed_in'
    ? SignedIn
    : Member

/** The one who asks. Codes: `signed_out`, `not_found`, `forbidden`, `billing_lapsed`, `confirmation_required`. */
export async function callerFor(
  known: AppOperation,
  deps: HttpDeps,
  request: FastifyRequest,
): Promise<{ now: Date } | SignedIn | Member> {
  const { permission } = known
  if (permission === 'anyone') return { now: deps.now() }
  if (permission === 'signed_in') {
    const now = deps.now()
    const person = await signedInPerson(deps, request, now)
    if (known.isDangerous) requireOwnProof(person, now)
    return { person, now }
  }
  const asking = await member(deps, request)
  if (permission !== 'any_member') requirePermission(asking, ...permissionsBefore(known))
  if (!worksFor(asking, known)) refuseWhenReadOnly(asking.state)
  if (known.isDangerous) requireFresh(asking.person, asking.now)
  return asking
}

function worksFor({ state, role }: Pick<Member, 'state' | 'role'>, known: AppOperation): boolean {
  const { write, reporting, readers, upkeep } = stateCapabilities[state]
  const { worksReadOnly, ownersOnlyWhenClosed } = known
  if (readers === 'owners' && role !== 'owner' && ownersOnlyWhenClosed) return false
  if (!upkeep && known.method !== 'GET') return false
  return write || (worksReadOnly === 'until_closed' ? reporting : worksReadOnly)
}

/** One of them is required, as far as is known before the body is read. */
function permissionsBefore({ permission, permissionAmong }: AppOperation): readonly Permission[] {
  if (typeof permission === 'function') return permissionAmong
  return (typeof permission === 'string' ? [permission] : permission) as readonly Permission[]
}

/** The permission that depends on the body, which is valid by now. Codes: `forbidden`. */
export function requirePermissionFor({ permission }: AppOperation, caller: object, body: unknown): void {
  if (typeof permission === 'function') requirePermission(caller as Member, permission(body as never))
}

/** To whose share a body of the caller counts: a member's to the workspace's, a stranger's to that of the network. */
export function ownerOf(caller: object, request: FastifyRequest): BodyOwner {
  const { workspaceId = noWorkspace, person } = caller as Partial<Member>
  return { workspaceId, senderId: person?.personId ?? networkOf(clientAddress(request)) }
}
