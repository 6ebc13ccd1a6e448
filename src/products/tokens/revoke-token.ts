import { ServiceError } from '../../contract/errors.ts'
import type { Db } from '../../database/connection.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import { recordAct, type Actor } from '../../audit/record-acts.ts'
import { enqueueTokenNotice } from '../../workspace/enqueue-notice.ts'

type Revocation = { workspaceId: string; tokenId: string; actor: Actor; now: Date }

/** Revokes a token for good: the next request with it is 401 on every process. Revoking twice changes nothing. Codes: `not_found`. */
export async function revokeToken(db: Db, { workspaceId, tokenId, actor, now }: Revocation): Promise<void> {
  await transact(db, async (tx) => {
    const token = await tx
      .selectFrom('token')
      .select(['name', 'kind', 'created_by', 'revoked_at'])
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', tokenId)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (token === undefined) throw new ServiceError('not_found')
    if (token.revoked_at !== null) return
    await tx
      .updateTable('token')
      .set({ revoked_at: now, revoked_by: actor.kind === 'person' ? actor.id : null })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', tokenId)
      .execute()
    await recordAct(tx, {
      workspaceId,
      actor,
      at: now,
      action: 'token.revoked',
      object: { kind: 'token', id: tokenId, name: token.name },
    })
    const { name, kind, created_by: makerId } = token
    const told = { id: tokenId, name, kind }
    await enqueueTokenNotice(tx, { type: 'token.revoked', token: told, makerId, workspaceId, actor, now })
  })
}
