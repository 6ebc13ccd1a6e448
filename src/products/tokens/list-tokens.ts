import type { TokenRow, TokenKind, TokenStatus } from '../../contract/tokens/shapes.ts'
import type { Db } from '../../database/connection.ts'

/** Every token of a workspace, newest first, without those of archived or deleted families (docs/public-api.md, "API token"). */
export async function listTokens(db: Db, workspaceId: string, now: Date): Promise<TokenRow[]> {
  const tokens = await db
    .selectFrom('token as t')
    .leftJoin('family as f', 'f.id', 't.family_id')
    .leftJoin('person as p', 'p.id', 't.created_by')
    .leftJoin('member as m', (join) =>
      join.onRef('m.workspace_id', '=', 't.workspace_id').onRef('m.person_id', '=', 't.created_by'),
    )
    .leftJoin('token_use as u', 'u.token_id', 't.id')
    .select([
      't.id',
      't.kind',
      't.name',
      't.prefix',
      't.created_at',
      't.expires_at',
      't.revoked_at',
      'f.id as family_id',
      'f.name as family_name',
      'p.name as created_by',
      'm.removed_at as creator_removed_at',
      'u.last_used_at',
    ])
    .where('t.workspace_id', '=', workspaceId)
    .where('f.archived_at', 'is', null)
    .where('f.deleted_at', 'is', null)
    .orderBy('t.created_at', 'desc')
    .orderBy('t.id', 'desc')
    .execute()
  return tokens.map((token) => ({
    id: token.id,
    kind: token.kind,
    name: token.name,
    family:
      token.family_id === null || token.family_name === null
        ? null
        : { id: token.family_id, name: token.family_name },
    prefix: token.prefix,
    createdAt: token.created_at.toISOString(),
    createdBy: token.created_by,
    creatorRemoved: token.creator_removed_at !== null,
    lastUsedAt: token.last_used_at?.toISOString() ?? null,
    expiresAt: token.expires_at?.toISOString() ?? null,
    status: tokenStatus(token, now),
  }))
}

/** What a token can do, where a member asks to revoke one. */
export async function selectTokenKind(
  db: Db,
  workspaceId: string,
  tokenId: string,
): Promise<TokenKind | undefined> {
  const token = await db
    .selectFrom('token')
    .select('kind')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', tokenId)
    .executeTakeFirst()
  return token?.kind
}

/** Derived at request time; a revoked token stays `Revoked` after its expiry. */
export function tokenStatus(
  token: { expires_at: Date | null; revoked_at: Date | null },
  now: Date,
): TokenStatus {
  if (token.revoked_at !== null) return 'Revoked'
  return token.expires_at !== null && token.expires_at <= now ? 'Expired' : 'Active'
}
