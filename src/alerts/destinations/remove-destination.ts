import { ServiceError } from '../../contract/errors.ts'
import type { Db } from '../../database/connection.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import type { Clock } from '../../platform/clock.ts'
import { recordAct, type Actor } from '../../audit/record-acts.ts'
import { lockDestinations } from './lock-destinations.ts'

type Removal = { workspaceId: string; destinationId: string; actor: Actor; clock: Clock }

/**
 * Removes a destination: its URL and secret are erased and nothing more is posted. Past deliveries and failures stay listed.
 * Codes: `unauthorized`, `billing_lapsed`, `not_found`.
 */
export async function removeDestination(
  db: Db,
  { workspaceId, destinationId, actor, clock }: Removal,
): Promise<void> {
  await transact(db, async (tx) => {
    const { now } = await lockDestinations(tx, { workspaceId, actor, clock, needsPlan: false })
    const removed = await tx
      .updateTable('alert_destination')
      .set({ removed_at: now, url_sealed: null, secret_sealed: null })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', destinationId)
      .where('removed_at', 'is', null)
      .returning(['name', 'kind', 'host', 'events'])
      .executeTakeFirst()
    if (removed === undefined) throw new ServiceError('not_found')
    const { name, ...before } = removed
    await recordAct(tx, {
      workspaceId,
      actor,
      at: now,
      action: 'destination.removed',
      object: { kind: 'destination', id: destinationId, name },
      before,
    })
  })
}
