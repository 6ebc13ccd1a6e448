import { sql } from 'kysely'
import type { AlertFact } from '../../contract/alerts/events.ts'
import type { Audience } from '../../contract/notices/shapes.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { enqueue } from '../../queue/enqueue.ts'
import { newId } from '../../platform/random.ts'
import { tellMembers } from '../../notices/tell-members.ts'

type Emission = Audience & {
  workspaceId: string
  /** Identifies what happened: the same event twice is one. A UUID. */
  eventId: string
  fact: AlertFact
}

/** Enqueues an event for its subscribers, in the transaction in which it happens. Returns the id of the event. */
export async function enqueueEvent(
  tx: Tx,
  { workspaceId, fact, now, ...audience }: Audience & { workspaceId: string; fact: AlertFact; now: Date },
): Promise<string> {
  const eventId = newId(now)
  const payload = { ...audience, workspaceId, eventId, fact }
  await enqueue(tx, { kind: 'emit_event', payload, runAt: now, workspaceId })
  return eventId
}

/**
 * Makes one delivery of an event for every destination that wants its type, and tells the members. A second run makes none twice. Whether a delivery is
 * sent is decided when it is due: a destination that is off, or a workspace without a plan, leaves an entry in the history.
 */
export async function emitEvent(db: Db, emission: Emission, now: Date): Promise<void> {
  const { workspaceId, eventId, fact } = emission
  await db.transaction().execute(async (tx) => {
    const destinations = await tx
      .selectFrom('alert_destination')
      .select(['id', 'host'])
      .where('workspace_id', '=', workspaceId)
      .where('removed_at', 'is', null)
      .where(sql<boolean>`${fact.type} = any(events)`)
      .execute()
    await insertDeliveries(
      tx,
      destinations.map(({ id, host }) => ({ workspaceId, destinationId: id, host, eventId, fact, now })),
    )
    await tellMembers(tx, emission, now)
  })
}

type NewDelivery = {
  workspaceId: string
  destinationId: string
  host: string
  eventId: string
  fact: AlertFact | { type: 'test'; data: { destination: string } }
  now: Date
}

/** The channel on which waiting deliveries are announced. */
export const deliveryChannel = 'delivery'

/** Returns the ids of those that are new. */
export async function insertDeliveries(tx: Tx, deliveries: readonly NewDelivery[]): Promise<string[]> {
  if (deliveries.length === 0) return []
  const rows = await tx
    .insertInto('alert_delivery')
    .values(
      deliveries.map(({ workspaceId, destinationId, host, eventId, fact, now }) => ({
        id: newId(now),
        workspace_id: workspaceId,
        destination_id: destinationId,
        event_id: eventId,
        type: fact.type,
        fact: JSON.stringify(fact),
        host,
        state: 'pending' as const,
        created_at: now,
        leased_by: null,
        leased_until: null,
        sent_at: null,
        duration_ms: null,
        status: null,
        reason: null,
      })),
    )
    .onConflict((conflict) => conflict.columns(['destination_id', 'event_id']).doNothing())
    .returning('id')
    .execute()
  await sql`select pg_notify(${deliveryChannel}, '')`.execute(tx)
  return rows.map(({ id }) => id)
}
