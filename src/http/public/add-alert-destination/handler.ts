import { addDestination } from '../../../alerts/destinations/add-destination.ts'
import { refuseWithoutPlan } from '../../../alerts/destinations/lock-destinations.ts'
import { readNewDestination } from '../../../alerts/destinations/read-new-destination.ts'
import { destinationLimits } from '../../../contract/alerts/shapes.ts'
import { ServiceError } from '../../../contract/errors.ts'
import { stateCapabilities } from '../../../contract/workspace/plans.ts'
import { decodeUtf8, parseShortJson } from '../../../formats/json/parse.ts'
import { requireSealing } from '../../../platform/sealing/sealing.ts'
import type { AuthenticatedToken } from '../../../products/tokens/authenticate.ts'
import { effectiveState, refuseWhenReadOnly } from '../../../workspace/state.ts'
import { selectWorkspace } from '../../../workspace/workspaces.ts'
import { readBody } from '../../read-body.ts'
import { publicRoute, type PublicRequest } from '../public-route.ts'
import { actorOf, workspaceToken } from '../workspace-token.ts'
import { examples } from './examples.ts'
import { operation } from './operation.ts'
import { words } from './words.ts'

/**
 * `POST /api/v1/alert-destinations`. Checks in this order: token, rate limit, read-only state, plan, whether URLs can be stored, body;
 * whatever may have changed meanwhile is checked again in the storing transaction.
 */
export const addAlertDestination = publicRoute({ operation, words, examples }, async (asked) => {
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
})

const limit = `${destinationLimits.bodyCharacters} characters`
/** UTF-8 takes at most four bytes for a character; a byte-order mark is not one of the document's. */
const maxBytes = 4 * destinationLimits.bodyCharacters + 3

/** The body as JSON, whatever its Content-Type says. Codes: `too_large`, `invalid_json`. */
async function readJson(
  { deps, request }: PublicRequest<typeof operation>,
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
