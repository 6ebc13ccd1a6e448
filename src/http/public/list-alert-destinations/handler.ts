import { listDestinations } from '../../../alerts/destinations/list-destinations.ts'
import { publicRoute } from '../public-route.ts'
import { workspaceToken } from '../workspace-token.ts'
import { examples } from './examples.ts'
import { operation } from './operation.ts'
import { words } from './words.ts'

/** `GET /api/v1/alert-destinations`: works in every state of the workspace. */
export const listAlertDestinations = publicRoute({ operation, words, examples }, async (asked) => {
  const { workspaceId } = await workspaceToken(asked)
  return { destinations: await listDestinations(asked.deps.db, workspaceId) }
})
