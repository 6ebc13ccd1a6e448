import { stateCapabilities } from '../../contract/workspace/plans.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { Tx } from '../../database/connection.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Actor } from '../../audit/record-acts.ts'
import { lockRole } from '../../workspace/lock-role.ts'
import { effectiveState, refuseWhenReadOnly, stateColumns } from '../../workspace/state.ts'

type Locking = { workspaceId: string; actor: Actor; clock: Clock; needsPlan: boolean }

/**
 * Locks a workspace in the transaction that changes its destinations: the end of its plan waits, and so do other changes of its
 * destinations. Checks the actor's token or role and the plan again, because they may have ended since the request was admitted. Returns the
 * moment of the act. Codes: `unauthorized`, `forbidden`, `billing_lapsed`, `plan_required`.
 */
export async function lockDestinations(
  tx: Tx,
  { workspaceId, actor, clock, needsPlan }: Locking,
): Promise<{ now: Date }> {
  if (actor.kind === 'token') await lockToken(tx, { workspaceId, tokenId: actor.id ?? '', clock })
  if (actor.kind === 'person') await lockRole(tx, { workspaceId, actor }, 'manage_destinations')
  const workspace = await tx
    .selectFrom('workspace')
    .select(stateColumns)
    .where('id', '=', workspaceId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  const now = clock()
  const state = effectiveState(workspace, now)
  refuseWhenReadOnly(state)
  if (needsPlan) refuseWithoutPlan(stateCapabilities[state])
  return { now }
}

/** Codes: `plan_required`. */
export function refuseWithoutPlan({ destinations }: { destinations: boolean }): void {
  if (destinations) return
  throw new ServiceError('plan_required', {
    message: 'Adding alert destinations needs a Core or Plus plan, or the trial.',
  })
}

async function lockToken(
  tx: Tx,
  { workspaceId, tokenId, clock }: { workspaceId: string; tokenId: string; clock: Clock },
): Promise<void> {
  const token = await tx
    .selectFrom('token')
    .select(['revoked_at', 'expires_at'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', tokenId)
    .forShare()
    .executeTakeFirst()
  const isOver = token?.expires_at !== undefined && token.expires_at !== null && token.expires_at <= clock()
  if (token === undefined || token.revoked_at !== null || isOver) throw new ServiceError('unauthorized')
}
