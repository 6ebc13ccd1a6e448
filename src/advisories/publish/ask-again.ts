import type { Tx } from '../../database/connection.ts'
import { lockRole } from '../../workspace/lock-role.ts'
import { effectiveState, refuseWhenReadOnly, stateColumns } from '../../workspace/state.ts'
import type { AdvisoryAct } from '../drafts/locked-advisory.ts'

/**
 * Checks again whether the publisher still may, in the transaction that publishes and after the tests, which take seconds: they may have
 * been removed or given another role, and a trial may have ended. Membership is locked until the end of the transaction. Codes:
 * `forbidden`, `billing_lapsed`.
 */
export async function refuseNoLongerAllowed(
  tx: Tx,
  { workspaceId, actor, clock }: AdvisoryAct,
): Promise<void> {
  const workspace = await tx
    .selectFrom('workspace')
    .select(stateColumns)
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  refuseWhenReadOnly(effectiveState(workspace, clock()))
  if (actor.kind === 'person') await lockRole(tx, { workspaceId, actor }, 'publish_advisories')
}
