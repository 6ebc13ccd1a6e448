import type { FastifyInstance } from 'fastify'
import { Type, type Static } from 'typebox'
import type { CreatedToken, TokenRow } from '../../contract/app.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { Permission } from '../../contract/roles.ts'
import { tokenKinds, type TokenKind } from '../../contract/tokens.ts'
import { createToken } from '../../workspace/tokens/create-token.ts'
import { listTokens, selectTokenKind } from '../../workspace/tokens/list-tokens.ts'
import { revokeToken } from '../../workspace/tokens/revoke-token.ts'
import { idParameter, member, memberWho, requirePermission, type AppDeps } from './member.ts'

const NewTokenBody = Type.Object({
  name: Type.String({ maxLength: 300 }),
  kind: Type.Enum([...tokenKinds]),
  familyId: Type.Union([Type.String({ format: 'uuid' }), Type.Null()]),
  expiresInDays: Type.Union([Type.Literal(30), Type.Literal(90), Type.Literal(365), Type.Null()]),
})

const dayMs = 24 * 3600 * 1000

/** Settings, API tokens. */
export function registerTokens(app: FastifyInstance, deps: AppDeps): void {
  app.get('/workspaces/:slug/tokens', async (request): Promise<{ tokens: TokenRow[] }> => {
    const { workspaceId, now } = await member(deps, request)
    return { tokens: await listTokens(deps.db, workspaceId, now) }
  })

  app.post<{ Body: Static<typeof NewTokenBody> }>(
    '/workspaces/:slug/tokens',
    { schema: { body: NewTokenBody } },
    async (request, reply) => {
      const { kind, expiresInDays, name, familyId } = request.body
      const { workspaceId, actor, now } = await memberWho(deps, request, permissionFor(kind))
      const expiresAt = expiresInDays === null ? null : new Date(now.getTime() + expiresInDays * dayMs)
      const created: CreatedToken = await createToken(deps.db, {
        workspaceId,
        kind,
        name,
        familyId: kind === 'workspace' ? null : familyId,
        expiresAt,
        actor,
        now,
      })
      return reply.code(201).send(created)
    },
  )

  app.post('/workspaces/:slug/tokens/:token/revoke', async (request, reply) => {
    // a security removal: it works in read-only workspaces too
    const asking = await member(deps, request)
    const tokenId = idParameter(request, 'token')
    const kind = await selectTokenKind(deps.db, asking.workspaceId, tokenId)
    if (kind === undefined) throw new ServiceError('not_found')
    requirePermission(asking, permissionFor(kind))
    const { workspaceId, actor, now } = asking
    await revokeToken(deps.db, { workspaceId, tokenId, actor, now })
    return reply.code(204).send()
  })
}

function permissionFor(kind: TokenKind): Permission {
  return kind === 'workspace' ? 'manage_workspace_tokens' : 'manage_upload_tokens'
}
