import { addDestination } from '../../alerts/destinations/add-destination.ts'
import { listDestinations } from '../../alerts/destinations/list-destinations.ts'
import { refuseWithoutPlan } from '../../alerts/destinations/lock-destinations.ts'
import { readNewDestination } from '../../alerts/destinations/read-new-destination.ts'
import { removeDestination } from '../../alerts/destinations/remove-destination.ts'
import { destinationLimits, type Destination, type NewDestination } from '../../contract/alerts/shapes.ts'
import { ServiceError } from '../../contract/errors.ts'
import { decodeUtf8, parseShortJson } from '../../formats/json/parse.ts'
import { stateCapabilities } from '../../contract/workspace/plans.ts'
import type {
  addAlertDestination as addContract,
  listAlertDestinations as listContract,
  PublicOperation,
  removeAlertDestination as removeContract,
} from '../../contract/public/public-operations.ts'
import { requireSealing } from '../../platform/sealing/sealing.ts'
import type { Actor } from '../../audit/record-acts.ts'
import { effectiveState, refuseWhenReadOnly } from '../../workspace/state.ts'
import { authenticate, type AuthenticatedToken } from '../../products/tokens/authenticate.ts'
import { selectWorkspace } from '../../workspace/workspaces.ts'
import { noteCaller } from '../caller.ts'
import { clientAddress } from '../client-address.ts'
import { bearerToken } from '../credentials.ts'
import { readBody } from '../read-body.ts'
import type { PublicRequest } from './public-route.ts'

/** `GET /api/v1/alert-destinations`: works in every state of the workspace. */
export async function listAlertDestinations(
  asked: PublicRequest<typeof listContract>,
): Promise<{ destinations: Destination[] }> {
  const { workspaceId } = await workspaceToken(asked)
  return { destinations: await listDestinations(asked.deps.db, workspaceId) }
}

/**
 * `POST /api/v1/alert-destinations`. Checks in this order: token, rate limit, read-only state, plan, whether URLs can be stored, body;
 * what may have changed meanwhile once more in the storing transaction.
 */
export async function addAlertDestination(asked: PublicRequest<typeof addContract>): Promise<NewDestination> {
  const { deps, request, reply } = asked
  const token = await workspaceToken(asked)
  const state = effectiveState(await selectWorkspace(deps.db, token.workspaceId), deps.now())
  refuseWhenReadOnly(state)
  refuseWithoutPlan(stateCapabilities[state])
  await requireSealing(deps.db, deps.sealing)
  const fields = readNewDestination(await readJson(asked, token), deps.chatHosts)
  const added = await addDestination(deps.db, {
    workspaceId: token.workspaceId,
    fields,
    actor: actorOf(token, request),
    clock: deps.now,
    sealing: deps.sealing,
  })
  reply.status(201)
  return added
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** `DELETE /api/v1/alert-destinations/{id}`: works on every plan that is not read-only. */
export async function removeAlertDestination(asked: PublicRequest<typeof removeContract>): Promise<null> {
  const { deps, request, reply } = asked
  const token = await workspaceToken(asked)
  refuseWhenReadOnly(effectiveState(await selectWorkspace(deps.db, token.workspaceId), deps.now()))
  const destinationId = asked.parameter('id')
  if (!uuid.test(destinationId)) throw new ServiceError('not_found')
  await removeDestination(deps.db, {
    workspaceId: token.workspaceId,
    destinationId,
    actor: actorOf(token, request),
    clock: deps.now,
  })
  reply.status(204)
  return null
}

function workspaceToken({
  deps,
  request,
}: Pick<PublicRequest<PublicOperation>, 'deps' | 'request'>): Promise<AuthenticatedToken> {
  return authenticate(deps.db, {
    secret: bearerToken(request),
    kinds: ['workspace'],
    now: deps.now(),
    onKnown: (caller) => noteCaller(request, caller),
  })
}

function actorOf(
  { tokenId, name }: AuthenticatedToken,
  request: PublicRequest<PublicOperation>['request'],
): Actor {
  return { kind: 'token', id: tokenId, name, requestId: request.id, address: clientAddress(request) }
}

const limit = `${destinationLimits.bodyCharacters} characters`
/** UTF-8 takes at most four bytes for a character; a byte-order mark is not one of the document's. */
const maxBytes = 4 * destinationLimits.bodyCharacters + 3

/** The body as JSON, whatever its Content-Type says. Codes: `too_large`, `invalid_json`. */
async function readJson(
  { deps, request }: Pick<PublicRequest<PublicOperation>, 'deps' | 'request'>,
  { workspaceId, tokenId }: AuthenticatedToken,
): Promise<unknown> {
  using owned = await readBody(request.raw, {
    maxBytes,
    limit,
    bodies: deps.bodies,
    owner: { workspaceId, senderId: tokenId },
  })
  const text = decodeUtf8(owned.bytes)
  if ([...text].length > destinationLimits.bodyCharacters) {
    throw new ServiceError('too_large', { detail: `more than ${limit}` })
  }
  return parseShortJson(text)
}
