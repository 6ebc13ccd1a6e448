import * as contract from '../../contract/operations/members.ts'
import { listMembers } from '../../workspace/members/list-members.ts'
import { routesOf } from './routing/handle.ts'

/** Who belongs to a workspace. */
export const memberRoutes = routesOf(contract, {
  listMembers: async ({ workspaceId, actor, deps }) => ({
    members: await listMembers(deps.db, { workspaceId, asking: actor.id }),
  }),
})
