import { removeDestination } from '../../../alerts/destinations/remove-destination.ts'
import { ServiceError } from '../../../contract/errors.ts'
import { effectiveState, refuseWhenReadOnly } from '../../../workspace/state.ts'
import { selectWorkspace } from '../../../workspace/workspaces.ts'
import { publicRoute } from '../public-route.ts'
import { actorOf, workspaceToken } from '../workspace-token.ts'
import { examples } from './examples.ts'
import { operation } from './operation.ts'
import { words } from './words.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** `DELETE /api/v1/alert-destinations/{id}`: works on every plan that is not read-only. */
export const removeAlertDestination = publicRoute({ operation, words, examples }, async (asked) => {
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
})
