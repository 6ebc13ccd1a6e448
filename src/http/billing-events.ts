import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../contract/errors.ts'
import { receiveEvent } from '../workspace/billing/receive-event.ts'
import { noWorkspace } from './bodies/arriving-bodies.ts'
import type { HttpDeps } from './deps.ts'
import { readBody } from './read-body.ts'

const maxBytes = 256 * 1024
/** All of them share what one sender may hold in memory. */
const owner = { workspaceId: noWorkspace, senderId: 'stripe' }

/** Events of the payment provider, signed by it; without one configured the address does not exist. Codes: those of `receiveEvent`. */
export async function receiveBillingEvent(
  { db, bodies, stripe, now }: HttpDeps,
  request: FastifyRequest,
): Promise<{ received: true }> {
  if (stripe === null) throw new ServiceError('not_found')
  using body = await readBody(request.raw, { maxBytes, bodies, owner })
  const header = request.headers['stripe-signature']
  const secret = stripe.webhookSecret
  await receiveEvent(db, { body: body.bytes, header: String(header ?? ''), secret, now: now() })
  return { received: true }
}
