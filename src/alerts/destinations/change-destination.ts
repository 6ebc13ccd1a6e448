import { isDeepStrictEqual } from 'node:util'
import { ServiceError } from '../../contract/errors.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import type { Clock } from '../../platform/clock.ts'
import { lockSealing, type Sealing } from '../../platform/sealing/sealing.ts'
import { namesNothing } from '../../platform/names-nothing.ts'
import { recordAct, type Actor } from '../../audit/record-acts.ts'
import { newSigningSecret } from './add-destination.ts'
import { lockDestinations } from './lock-destinations.ts'
import type { DestinationChange } from './read-new-destination.ts'
import { secretPlace } from './sealed-places.ts'

type Act = { workspaceId: string; destinationId: string; actor: Actor; clock: Clock }

/** Renames a destination, changes what it is told, turns it on or off. Codes: `billing_lapsed`, `not_found`. */
export async function changeDestination(db: Db, act: Act, change: DestinationChange): Promise<void> {
  const { workspaceId, destinationId, actor, clock } = act
  await transact(db, async (tx) => {
    const { now } = await lockDestinations(tx, { workspaceId, actor, clock, needsPlan: false })
    const { name, events, enabled } = await lockDestination(tx, act)
    const before = { name, events, enabled }
    const after = { ...before, ...change }
    if (namesNothing(change) || isDeepStrictEqual(before, after)) return
    await tx
      .updateTable('alert_destination')
      .set(change)
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', destinationId)
      .execute()
    await recordAct(tx, {
      workspaceId,
      actor,
      at: now,
      action: 'destination.changed',
      object: { kind: 'destination', id: destinationId, name: after.name },
      before,
      after,
    })
  })
}

/**
 * Gives a webhook a new signing secret, which only the answer contains; the old one ends at once, with no overlap. Codes:
 * `billing_lapsed`, `not_found`, `conflict` (not a webhook), `not_configured`.
 */
export async function renewSecret(db: Db, act: Act, sealing: Sealing): Promise<{ secret: string }> {
  const { workspaceId, destinationId, actor, clock } = act
  return transact(db, async (tx) => {
    const { now } = await lockDestinations(tx, { workspaceId, actor, clock, needsPlan: false })
    const { name, kind } = await lockDestination(tx, act)
    await lockSealing(tx, sealing)
    if (kind !== 'webhook') {
      throw new ServiceError('conflict', { message: 'Only webhooks have a signing secret.' })
    }
    const secret = newSigningSecret()
    await tx
      .updateTable('alert_destination')
      .set({ secret_sealed: sealing.seal(secretPlace({ workspaceId, id: destinationId }), secret) })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', destinationId)
      .execute()
    await recordAct(tx, {
      workspaceId,
      actor,
      at: now,
      action: 'destination.secret_renewed',
      object: { kind: 'destination', id: destinationId, name },
    })
    return { secret }
  })
}

async function lockDestination(tx: Tx, { workspaceId, destinationId }: Act) {
  const row = await tx
    .selectFrom('alert_destination')
    .select(['name', 'kind', 'events', 'enabled'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', destinationId)
    .where('removed_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (row === undefined) throw new ServiceError('not_found')
  return row
}
