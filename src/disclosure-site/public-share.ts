import type { Duplex } from 'node:stream'
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

/** Who asks, and the connection without which nobody waits any more. */
type Stranger = { address: string; connection: Duplex }

/** Gives the place back; a second call does nothing. Codes: `rate_limited` when none has become free for some seconds. */
export async function takePublicPlace(
  publicPages: Shares,
  { address, connection }: Stranger,
): Promise<() => void> {
  const sharer = { personId: siteOf(address), workspaceId: 'everybody' }
  const entry = await publicPages.await(sharer, { withinMs: waitMs, connection })
  if (typeof entry !== 'string') return entry.giveBack
  const whose = entry === 'person' ? 'Too many requests of yours' : 'Too many requests'
  throw new ServiceError('rate_limited', {
    message: `${whose} are under way. Try again in a moment.`,
    retryAfterSeconds,
  })
}

/** Does the work once a place is free. Codes: `rate_limited`, and those of the work. */
export async function workInPublicPlace<T>(
  publicPages: Shares,
  stranger: Stranger,
  work: () => Promise<T>,
): Promise<T> {
  const giveBack = await takePublicPlace(publicPages, stranger)
  try {
    return await work()
  } finally {
    giveBack()
  }
}
