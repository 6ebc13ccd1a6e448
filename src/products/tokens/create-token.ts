import { ServiceError } from '../../contract/errors.ts'
import { tokenPermission, type TokenKind } from '../../contract/tokens/shapes.ts'
import type { Db } from '../../database/connection.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import { newId } from '../../platform/random.ts'
import { readName } from '../../platform/input-reader.ts'
import { recordAct, type Actor } from '../../audit/record-acts.ts'
import { enqueueTokenNotice } from '../../workspace/enqueue-notice.ts'
import { lockRole } from '../../workspace/lock-role.ts'
import { newTokenSecret } from './secret.ts'

type NewToken = {
  workspaceId: string
  kind: TokenKind
  /** Required for upload and results tokens, absent for workspace tokens. */
  familyId: string | null
  name: string
  expiresAt: Date | null
  actor: Actor
  now: Date
}

/** Makes a token. The answer is the only place its secret ever appears. Codes: `invalid_request`, `not_found`, `forbidden`. */
export async function createToken(db: Db, token: NewToken): Promise<{ id: string; secret: string }> {
  const name = readName(token.name, 80)
  if ((token.kind === 'workspace') !== (token.familyId === null)) {
    throw new ServiceError('invalid_request', { fields: { familyId: 'Choose a product family.' } })
  }
  return transact(db, async (tx) => {
    // the token would escape the count of those that a removed member leaves behind
    if (token.actor.kind === 'person') await lockRole(tx, token, tokenPermission(token.kind))
    if (token.familyId !== null) await refuseUnusableFamily(tx, token.workspaceId, token.familyId)
    const id = newId(token.now)
    const { secret, prefix, hash } = newTokenSecret()
    await tx
      .insertInto('token')
      .values({
        id,
        workspace_id: token.workspaceId,
        kind: token.kind,
        family_id: token.familyId,
        name,
        prefix,
        secret_hash: hash,
        created_at: token.now,
        created_by: token.actor.kind === 'person' ? token.actor.id : null,
        expires_at: token.expiresAt,
        revoked_at: null,
        revoked_by: null,
      })
      .execute()
    await recordAct(tx, {
      workspaceId: token.workspaceId,
      actor: token.actor,
      at: token.now,
      action: 'token.created',
      object: { kind: 'token', id, name },
      after: { kind: token.kind, familyId: token.familyId, prefix, expiresAt: token.expiresAt },
    })
    const told = { id, name, kind: token.kind }
    await enqueueTokenNotice(tx, { type: 'token.created', token: told, makerId: null, ...token })
    return { id, secret }
  })
}

async function refuseUnusableFamily(db: Db, workspaceId: string, familyId: string): Promise<void> {
  const family = await db
    .selectFrom('family')
    .select('archived_at')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', familyId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (family === undefined) throw new ServiceError('not_found')
  if (family.archived_at !== null) {
    throw new ServiceError('conflict', {
      message: 'The family is archived. Restore it before creating tokens for it.',
    })
  }
}
