import { stateCapabilities } from '../../contract/workspace/plans.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { Db } from '../../database/connection.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import type { Clock } from '../../platform/clock.ts'
import { newId } from '../../platform/random.ts'
import { recordAct, type Actor } from '../../audit/record-acts.ts'
import { effectiveState, stateColumnsOfW } from '../../workspace/state.ts'
import { lockDestinations } from '../destinations/lock-destinations.ts'
import { insertDeliveries } from './emit.ts'

type TestRequest = { workspaceId: string; destinationId: string; actor: Actor; clock: Clock }

/**
 * Has a test sent to a destination, whether it is on or off. Returns the id of the delivery. Codes: `not_found`, `billing_lapsed`,
 * `plan_required`.
 */
export async function sendTest(
  db: Db,
  { workspaceId, destinationId, actor, clock }: TestRequest,
): Promise<{ deliveryId: string }> {
  return transact(db, async (tx) => {
    const { now } = await lockDestinations(tx, { workspaceId, actor, clock, needsPlan: false })
    const destination = await tx
      .selectFrom('alert_destination as d')
      .innerJoin('workspace as w', 'w.id', 'd.workspace_id')
      .select(['d.name', 'd.host', ...stateColumnsOfW])
      .where('d.workspace_id', '=', workspaceId)
      .where('d.id', '=', destinationId)
      .where('d.removed_at', 'is', null)
      .executeTakeFirst()
    if (destination === undefined) throw new ServiceError('not_found')
    const { name, host } = destination
    if (!stateCapabilities[effectiveState(destination, now)].destinations) {
      throw new ServiceError('plan_required', {
        message: 'Posting to alert destinations needs a Core or Plus plan, or the trial.',
      })
    }
    const fact = { type: 'test', data: { destination: name } } as const
    const delivery = { workspaceId, destinationId, host, eventId: newId(now), fact, now }
    const [deliveryId] = await insertDeliveries(tx, [delivery])
    if (deliveryId === undefined) throw new Error('a new event makes a delivery')
    await recordAct(tx, {
      workspaceId,
      actor,
      at: now,
      action: 'destination.tested',
      object: { kind: 'destination', id: destinationId, name },
    })
    return { deliveryId }
  })
}
