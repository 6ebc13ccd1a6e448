import { ServiceError } from '../../../contract/errors.ts'
import * as contract from '../../../contract/tokens/operations.ts'
import { tokenPermission } from '../../../contract/tokens/shapes.ts'
import { createToken } from '../../../products/tokens/create-token.ts'
import { listTokens, selectTokenKind } from '../../../products/tokens/list-tokens.ts'
import { revokeToken } from '../../../products/tokens/revoke-token.ts'
import { routesOf } from '../routing/handle.ts'
import { requirePermission } from '../routing/member.ts'
import { dayMs } from '../../../contract/durations.ts'

/** Settings, API tokens. */
export const tokenRoutes = routesOf(contract, {
  listTokens: async ({ workspaceId, now, deps }) => ({ tokens: await listTokens(deps.db, workspaceId, now) }),

  createToken: async ({ workspaceId, actor, now, body, deps }) => {
    const { kind, expiresInDays, name, familyId } = body
    return createToken(deps.db, {
      workspaceId,
      kind,
      name,
      familyId: kind === 'workspace' ? null : familyId,
      expiresAt: expiresInDays === null ? null : new Date(now.getTime() + expiresInDays * dayMs),
      actor,
      now,
    })
  },

  revokeToken: async ({ workspaceId, role, actor, now, params, deps }) => {
    const kind = await selectTokenKind(deps.db, workspaceId, params.token)
    if (kind === undefined) throw new ServiceError('not_found')
    requirePermission({ role }, tokenPermission(kind))
    await revokeToken(deps.db, { workspaceId, tokenId: params.token, actor, now })
  },
})
