import type { FastifyRequest } from 'fastify'
import type { AppOperation } from '../../../contract/operations/operation.ts'
import type { Permission } from '../../../contract/roles.ts'
import { stateCapabilities } from '../../../contract/plans.ts'
import type { SignedInPerson } from '../../../workspace/people/sessions.ts'
import { requireFresh, requireOwnProof } from '../../../workspace/people/fresh.ts'
import { refuseWhenReadOnly } from '../../../workspace/state.ts'
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
  if (permission !== 'any_member') requirePermission(asking, ...permissionsIn(permission, request))
  if (!worksFor(asking, known)) refuseWhenReadOnly(asking.state)
  if (known.isDangerous) requireFresh(asking.person, asking.now)
  return asking
}

function worksFor({ state, role }: Pick<Member, 'state' | 'role'>, known: AppOperation): boolean {
  const { write, reporting, readers } = stateCapabilities[state]
  const { worksReadOnly, ownersOnlyWhenClosed } = known
  if (readers === 'owners' && role !== 'owner' && ownersOnlyWhenClosed) return false
  return write || (worksReadOnly === 'until_closed' ? reporting : worksReadOnly)
}

function permissionsIn(
  needed: Permission | readonly Permission[] | ((body: never) => Permission),
  request: FastifyRequest,
): readonly Permission[] {
  // The server has checked the body by the schema that the function's argument has its type from.
  if (typeof needed === 'function') return [needed(request.body as never)]
  return typeof needed === 'string' ? [needed] : needed
}
