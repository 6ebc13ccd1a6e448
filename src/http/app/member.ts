import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../contract/errors.ts'
import { stateCapabilities, type WorkspaceState } from '../../contract/plans.ts'
import { isAllowed, type Permission, type Role } from '../../contract/roles.ts'
import type { Actor } from '../../workspace/audit.ts'
import { selectMembership } from '../../workspace/people/people.ts'
import { selectSignedInPerson, type SignedInPerson } from '../../workspace/people/sessions.ts'
import { clientAddress } from '../client-address.ts'
import { noteCaller } from '../caller.ts'
import type { HttpDeps } from '../deps.ts'
import { effectiveState, refuseWhenReadOnly } from '../../workspace/state.ts'
import { selectWorkspace } from '../../workspace/workspaces.ts'
import { isText } from '../json-body.ts'
import { sessionSecret } from './session-cookie.ts'

/** A signed-in member of the workspace in the address, and the time of the request. */
export type Member = {
  workspaceId: string
  role: Role
  state: WorkspaceState
  actor: Actor
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

/** The member who asks. Strangers see what an unknown address shows. Codes: `signed_out`, `not_found`. */
export async function member(deps: HttpDeps, request: FastifyRequest): Promise<Member> {
  const now = deps.now()
  const person = await signedInPerson(deps, request, now)
  const { workspaceId, role } = await selectMembership(deps.db, person.personId, parameter(request, 'slug'))
  noteCaller(request, { workspaceId, personId: person.personId })
  const workspace = await selectWorkspace(deps.db, workspaceId)
  return {
    workspaceId,
    role,
    state: effectiveState(workspace, now),
    actor: {
      kind: 'person',
      id: person.personId,
      name: person.name,
      requestId: request.id,
      address: clientAddress(request),
    },
    now,
  }
}

/** A member who may do this in a workspace that can be written. Codes: those of `member`, `forbidden`, `billing_lapsed`. */
export async function memberWho(
  deps: HttpDeps,
  request: FastifyRequest,
  permission: Permission,
): Promise<Member> {
  const asking = await member(deps, request)
  requirePermission(asking, permission)
  if (!stateCapabilities[asking.state].write) refuseWhenReadOnly(asking.state)
  return asking
}

/** Any one of them will do. Codes: `forbidden`. */
export function requirePermission(
  { role }: Pick<Member, 'role'>,
  ...permissions: readonly Permission[]
): void {
  if (!permissions.some((permission) => isAllowed(role, permission))) throw new ServiceError('forbidden')
}

/** A value of the route's address. */
export function parameter(request: FastifyRequest, name: string): string {
  const value = (request.params as Record<string, string | undefined>)[name]
  if (value === undefined) throw new ServiceError('not_found')
  return value
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** An id of the route's address; anything that is no UUID names nothing. Codes: `not_found`. */
export function idParameter(request: FastifyRequest, name: string): string {
  const value = parameter(request, name)
  if (!uuidPattern.test(value)) throw new ServiceError('not_found')
  return value
}

/** A value of the query that is given once; undefined when absent or empty. Codes: `invalid_request`. */
export function queryValue(request: FastifyRequest, name: string): string | undefined {
  const value = (request.query as Record<string, string | string[] | undefined>)[name]
  if (Array.isArray(value)) throw new ServiceError('invalid_request', { fields: { [name]: 'Give it once.' } })
  if (value !== undefined && !isText(value)) {
    throw new ServiceError('invalid_request', {
      fields: { [name]: 'It holds a character that is not text.' },
    })
  }
  return value === '' ? undefined : value
}

/** An id in the query. Codes: `invalid_request`. */
export function idQuery(request: FastifyRequest, name: string): string | undefined {
  const value = queryValue(request, name)
  if (value !== undefined && !uuidPattern.test(value)) {
    throw new ServiceError('invalid_request', { fields: { [name]: 'This is no id.' } })
  }
  return value
}

/** A number from 1 on in the query. Codes: `invalid_request`. */
export function numberQuery(request: FastifyRequest, name: string): number | undefined {
  const value = queryValue(request, name)
  if (value === undefined) return undefined
  if (!/^[1-9]\d{0,8}$/.test(value)) {
    throw new ServiceError('invalid_request', { fields: { [name]: 'This is no number from 1 on.' } })
  }
  return Number(value)
}

/** A value of the query that is one of these words. Codes: `invalid_request`. */
export function queryWord<T extends string>(
  request: FastifyRequest,
  name: string,
  words: readonly T[],
): T | undefined {
  const value = queryValue(request, name)
  if (value === undefined) return undefined
  const word = words.find((known) => known === value)
  if (word === undefined) {
    throw new ServiceError('invalid_request', { fields: { [name]: `Expected one of ${words.join(', ')}.` } })
  }
  return word
}
