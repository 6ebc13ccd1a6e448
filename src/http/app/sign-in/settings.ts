import * as contract from '../../../contract/operations/sign-in.ts'
import { changeSignInSettings, readSignInSettings } from '../../../workspace/sign-in/settings.ts'
import { routesOf } from '../routing/handle.ts'

/** How members of a workspace sign in. */
export const signInSettingsRoutes = routesOf(contract, {
  getSignInSettings: ({ workspaceId, deps }) => readSignInSettings(deps.db, workspaceId),

  changeSignInSettings: ({ workspaceId, person, actor, now, deps, body }) =>
    changeSignInSettings(deps.db, { workspaceId, person, actor, now, ...body }),
})
