import { tokenPattern } from '../../contract/tokens/shapes.ts'
import type { Db } from '../../database/connection.ts'
import { hashSecret } from '../../platform/secret-hash.ts'
import type { TokenSender } from './lock-sender.ts'

/**
 * The family of a token that was refused: expired and revoked ones included. Undefined for unknown tokens, those of no
 * family, and those of a deleted one.
 */
export async function findSender(db: Db, secret: string | undefined): Promise<TokenSender | undefined> {
  if (secret === undefined || !tokenPattern.test(secret)) return undefined
  const row = await db
    .selectFrom('token as t')
    .innerJoin('family as f', 'f.id', 't.family_id')
    .select(['t.id', 't.workspace_id', 'f.id as family_id', 't.name'])
    .where('t.secret_hash', '=', hashSecret(secret))
    .where('f.deleted_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return { tokenId: row.id, workspaceId: row.workspace_id, familyId: row.family_id, name: row.name }
}
