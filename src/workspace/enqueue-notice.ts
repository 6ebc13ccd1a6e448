import type { NoticeJob } from '../contract/notices/shapes.ts'
import type { TokenKind } from '../contract/tokens/shapes.ts'
import type { Tx } from '../database/connection.ts'
import { enqueue } from '../queue/enqueue.ts'
import { newId } from '../platform/random.ts'
import type { Actor } from '../audit/record-acts.ts'

type GivenNotice = Omit<NoticeJob, 'eventId'> & {
  now: Date
  /** Where the same may be told several times: once counts. */
  eventId?: string
}

/** Has members told of something, in the transaction in which it happens. */
export async function enqueueNotice(
  tx: Tx,
  { now, eventId = newId(now), ...notice }: GivenNotice,
): Promise<void> {
  await enqueue(tx, {
    kind: 'send_mail',
    payload: { ...notice, eventId },
    runAt: now,
    ...('workspaceId' in notice.to ? { workspaceId: notice.to.workspaceId } : {}),
  })
}

type TokenNotice = {
  type: 'token.created' | 'token.revoked'
  workspaceId: string
  token: { id: string; name: string; kind: TokenKind }
  /** Who made it; null: whoever acts, or nobody of the workspace. */
  makerId: string | null
  actor: Actor
  now: Date
}

/** To those who may manage tokens, and to who made it. */
export async function enqueueTokenNotice(
  tx: Tx,
  { type, workspaceId, token, makerId, actor, now }: TokenNotice,
): Promise<void> {
  const { id, name, kind } = token
  const data = { token: { id, name, kind }, by: actor.name, at: now.toISOString() }
  const actorId = actor.kind === 'person' ? actor.id : null
  const named = [...new Set([makerId, actorId])].filter((personId) => personId !== null)
  await enqueueNotice(tx, { to: { workspaceId }, fact: { type, data }, named, now })
}
