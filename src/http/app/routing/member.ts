import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../../contract/errors.ts'
import type { WorkspaceState } from '../../../contract/workspace/plans.ts'
import { isAllowed, type Permission, type Role } from '../../../contract/roles.ts'
import type { Actor } from '../../../audit/record-acts.ts'
import { selectMembership } from '../../../people/people.ts'
import type { LogPosition } from '../../../platform/postgres/replica/reads.ts'
import { selectSignedInPerson, type SignedInPerson } from '../../../people/sessions.ts'
import { clientAddress } from '../../client-address.ts'
import { noteCaller } from '../../caller.ts'
import type { HttpDeps } from '../../deps.ts'
import { refuseWeakSession } from '../../../people/company-sign-in/settings.ts'
import { effectiveState } from '../../../workspace/state.ts'
import { selectWorkspace, type WorkspaceRow } from '../../../workspace/workspaces.ts'
import { seenPosition, sessionSecret } from './session-cookie.ts'

/** A signed-in member of the workspace in the address, and the time of the request. */
export type Member = {
  workspaceId: string
  workspace: WorkspaceRow
  role: Role
  state: WorkspaceState
  person: SignedInPerson
  actor: Actor
  /** The log position of the database at their last act in this browser. */
  seen: LogPosition | null
  now: Date
}

/** The person behind the session cookie. Codes: `signed_out`. */
export async function signedInPerson(
  deps: HttpDeps,
  request: FastifyRequest,
  now: Date,
): Promise<SignedInPerson> {
  const secret = sessionSecret(deps, request)
  const person = secret === undefined ? undefined : await selectSignedInPerson(deps.db, secret, now)
  if (person === undefined) throw new ServiceError('signed_out')
  return person
}

/** The asking member. For strangers the answer is that of an unknown address. Codes: `signed_out`, `not_found`, `second_factor_required`. */
export async function member(deps: HttpDeps, request: FastifyRequest): Promise<Member> {
  const now = deps.now()
  const person = await signedInPerson(deps, request, now)
  const { slug = '' } = request.params as { slug?: string }
  const { workspaceId, role } = await selectMembership(deps.db, person.personId, slug)
  noteCaller(request, { workspaceId, personId: person.personId })
  const workspace = await selectWorkspace(deps.db, workspaceId)
  refuseWeakSession(workspace, role, person)
  return {
    workspaceId,
    workspace,
    role,
    state: effectiveState(workspace, now),
    person,
    actor: {
      kind: 'person',
      id: person.personId,
      name: person.name,
      requestId: request.id,
      address: clientAddress(request),
    },
    seen: seenPosition(deps, request),
    now,
  }
}

/** Any one of them suffices. Codes: `forbidden`. */
export function requirePermission(
  { role }: Pick<Member, 'role'>,
  ...permissions: readonly Permission[]
): void {
  if (!permissions.some((permission) => isAllowed(role, permission))) throw new ServiceError('forbidden')
}
