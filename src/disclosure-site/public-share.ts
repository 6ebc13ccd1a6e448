import { ServiceError } from '../contract/errors.ts'
import { siteOf } from '../platform/client-address.ts'
import type { ShareBounds, Shares } from '../platform/concurrency/shares.ts'

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

/** Gives the place back; a second call does nothing. Codes: `rate_limited` when none has become free for some seconds. */
export async function takePublicPlace(publicPages: Shares, address: string): Promise<() => void> {
  const place = await publicPages.await({ personId: siteOf(address), workspaceId: 'everybody' }, waitMs)
  if (typeof place === 'function') return place
  const whose = place === 'person' ? 'Too many requests of yours' : 'Too many requests'
  throw new ServiceError('rate_limited', {
    message: `${whose} are under way. Try again in a moment.`,
    retryAfterSeconds,
  })
}

/** Does the work once a place is free. Codes: `rate_limited`, and those of the work. */
export async function workInPublicPlace<T>(
  publicPages: Shares,
  address: string,
  work: () => Promise<T>,
): Promise<T> {
  const giveBack = await takePublicPlace(publicPages, address)
  try {
    return await work()
  } finally {
    giveBack()
  }
}
