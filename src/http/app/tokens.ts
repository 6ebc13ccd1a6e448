import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type, type Static } from 'typebox'
import type { CreatedToken, TokenRow } from '../../contract/app.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { Permission } from '../../contract/roles.ts'
import { tokenKinds, type TokenKind } from '../../contract/tokens.ts'
import { createToken } from '../../workspace/tokens/create-token.ts'
import { listTokens, selectTokenKind } from '../../workspace/tokens/list-tokens.ts'
import { revokeToken } from '../../workspace/tokens/revoke-token.ts'
import type { HttpDeps } from '../deps.ts'
import { read, write, type AppOperation } from './app-operation.ts'
import { idParameter, member, memberWho, requirePermission } from './member.ts'

const NewTokenBody = Type.Object({
  name: Type.String({ maxLength: 300 }),
  kind: Type.Enum([...tokenKinds]),
  familyId: Type.Union([Type.String({ format: 'uuid' }), Type.Null()]),
  expiresInDays: Type.Union([Type.Literal(30), Type.Literal(90), Type.Literal(365), Type.Null()]),
})

const dayMs = 24 * 3600 * 1000

async function getTokens(deps: HttpDeps, request: FastifyRequest): Promise<{ tokens: TokenRow[] }> {
  const { workspaceId, now } = await member(deps, request)
  return { tokens: await listTokens(deps.db, workspaceId, now) }
}

async function postToken(deps: HttpDeps, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const { kind, expiresInDays, name, familyId } = request.body as Static<typeof NewTokenBody>
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
}

/** A security removal: it works in read-only workspaces too. */
async function postRevocation(
  deps: HttpDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const asking = await member(deps, request)
  const tokenId = idParameter(request, 'token')
  const kind = await selectTokenKind(deps.db, asking.workspaceId, tokenId)
  if (kind === undefined) throw new ServiceError('not_found')
  requirePermission(asking, permissionFor(kind))
  const { workspaceId, actor, now } = asking
  await revokeToken(deps.db, { workspaceId, tokenId, actor, now })
  return reply.code(204).send()
}

function permissionFor(kind: TokenKind): Permission {
  return kind === 'workspace' ? 'manage_workspace_tokens' : 'manage_upload_tokens'
}

/** Settings, API tokens. */
export const tokenOperations: readonly AppOperation[] = [
  read('/workspaces/:slug/tokens', getTokens),
  write('POST', '/workspaces/:slug/tokens', postToken, NewTokenBody),
  write('POST', '/workspaces/:slug/tokens/:token/revoke', postRevocation),
]
