import type { FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../contract/errors.ts'
import { badgeRoot } from '../disclose/register-badges.ts'
import { discloseRoot } from '../../disclosure-site/page-frame.ts'
import { siteOf } from '../../platform/client-address.ts'
import type { ShareBounds } from '../../platform/concurrency/shares.ts'
import { clientAddress } from '../client-address.ts'
import type { HttpDeps } from '../deps.ts'
import { pathOf } from '../request-log.ts'

const waitMs = 20_000
const retryAfterSeconds = 5

/**
 * The requests for public pages that are worked on at the same moment in one process. Each asks the database a few times: without a bound, some
 * hundred connections of a stranger keep everybody else waiting for a session.
 */
export function publicBounds(poolSize: number): ShareBounds {
  const partOfPool = (part: number) => Math.max(1, Math.floor(poolSize * part))
  return { person: partOfPool(0.4), workspace: partOfPool(0.6), process: partOfPool(0.6) }
}

type Asking = { deps: Pick<HttpDeps, 'publicPages'>; request: FastifyRequest }

/** Whether a place is taken for the request as it arrives; a form takes one once its body is there, as a slow sender keeps none. */
export function isForPublicPage(request: FastifyRequest): boolean {
  const path = pathOf(request)
  return request.method !== 'POST' && (path.startsWith(discloseRoot) || path.startsWith(badgeRoot))
}

/** Given back once the answer is written or its client has gone. Codes: `rate_limited`. */
export async function holdPublicPlace({ deps, request }: Asking, reply: FastifyReply): Promise<() => void> {
  const giveBack = await takePublicPlace({ deps, request })
  reply.raw.once('close', giveBack)
  // it may have gone while it waited
  if (reply.raw.closed || request.raw.socket.destroyed) giveBack()
  return giveBack
}

/** Does the work once a place is free. Codes: `rate_limited`, and those of the work. */
export async function inPublicShare<T>(asking: Asking, work: () => Promise<T>): Promise<T> {
  const giveBack = await takePublicPlace(asking)
  try {
    return await work()
  } finally {
    giveBack()
  }
}

async function takePublicPlace({ deps, request }: Asking): Promise<() => void> {
  const sharer = { personId: siteOf(clientAddress(request)), workspaceId: 'everybody' }
  const place = await deps.publicPages.await(sharer, waitMs)
  if (typeof place === 'function') return place
  const whose = place === 'person' ? 'Too many requests of yours' : 'Too many requests'
  throw new ServiceError('rate_limited', {
    message: `${whose} are under way. Try again in a moment.`,
    retryAfterSeconds,
  })
}
