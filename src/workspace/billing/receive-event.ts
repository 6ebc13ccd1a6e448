import { ServiceError } from '../../contract/errors.ts'
import type { Db } from '../../database/connection.ts'
import { enqueue } from '../../queue/enqueue.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import { isSignedByStripe } from './signature.ts'

type Received = { body: Uint8Array; header: string; secret: string; now: Date }
type Event = { id: string; type: string; subscriptionId: string | null }

/**
 * Accepts an event of the payment provider: a job fetches the subscription that it is about, and the event's own content is ignored. So
 * events that come twice, late or out of order lead to the same state. Codes: `invalid_request`.
 */
export async function receiveEvent(db: Db, { body, header, secret, now }: Received): Promise<void> {
  if (!isSignedByStripe({ body, header, secret, now })) {
    throw new ServiceError('invalid_request', { message: 'The signature is missing, wrong or too old.' })
  }
  const event = readEvent(body)
  await transact(db, async (tx) => {
    const taken = await tx
      .insertInto('billing_event')
      .values({ id: event.id, type: event.type, received_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (taken.numInsertedOrUpdatedRows !== 1n || event.subscriptionId === null) return
    const { subscriptionId } = event
    await enqueue(tx, {
      kind: 'fetch_subscription',
      key: subscriptionId,
      payload: { subscriptionId },
      runAt: now,
    })
  })
}

/** https://docs.stripe.com/api/events/object; of other events only that they came is kept. */
function readEvent(body: Uint8Array): Event {
  const event = parse(body) as {
    id?: unknown
    type?: unknown
    data?: { object?: Record<string, unknown> }
  } | null
  const { id, type } = event ?? {}
  if (typeof id !== 'string' || typeof type !== 'string' || id.length > 255 || type.length > 255) {
    throw new ServiceError('invalid_request', { message: 'The body is not an event.' })
  }
  const about = event?.data?.object ?? {}
  const subscription = type.startsWith('customer.subscription.')
    ? about['id']
    : type === 'checkout.session.completed'
      ? about['subscription']
      : undefined
  return { id, type, subscriptionId: typeof subscription === 'string' ? subscription : null }
}

function parse(body: Uint8Array): unknown {
  try {
    const read: unknown = JSON.parse(Buffer.from(body).toString('utf8'))
    return typeof read === 'object' ? read : null
  } catch {
    return null
  }
}
