import { isAllowed } from '../../contract/roles.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { Tx } from '../../database/connection.ts'
import { effectiveState, refuseWhenReadOnly, stateColumns } from '../../workspace/state.ts'
import type { AdvisoryAct } from '../drafts/locked-advisory.ts'

/**
 * Asks once more whether the one who publishes still may, in the transaction that publishes and after the document was tested, which takes
 * seconds: they may have been removed or given another role, and a trial may have ended. Membership stays as it is until the end of the
 * transaction. Codes: `forbidden`, `billing_lapsed`.
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
  if (actor.kind !== 'person') return
  const member = await tx
    .selectFrom('member')
    .select('role')
    .where('workspace_id', '=', workspaceId)
    .where('person_id', '=', actor.id)
    .where('removed_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  if (member === undefined || !isAllowed(member.role, 'publish_advisories'))
    throw new ServiceError('forbidden')
}
