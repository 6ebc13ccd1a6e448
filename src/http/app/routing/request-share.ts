import { ServiceError } from '../../../contract/errors.ts'
import type { FullShare, ShareBounds } from '../../../platform/concurrency/shares.ts'
import type { HttpDeps } from '../../deps.ts'
import type { Member } from './member.ts'

/** Longer than a check of an advisory takes on a busy machine. */
const waitMs = 20_000
const retryAfterSeconds = 5

/**
 * The requests of members that are worked on at the same moment in one process. Each takes a session of the database now and then, and two are
 * left to everybody else: whoever asks a hundred questions at once waits for the answers alone.
 */
export function requestBounds(poolSize: number): ShareBounds {
  const partOfPool = (part: number) => Math.max(1, Math.floor(poolSize * part))
  return { person: partOfPool(0.4), workspace: partOfPool(0.6), process: Math.max(1, poolSize - 2) }
}

type Asking<Caller> = { caller: Caller; judge: () => Promise<Caller>; hasGone: () => boolean }

/**
 * Works on a request once a place is free. It is for requests that have arrived completely: a slow sender keeps no place. Whoever had to wait is
 * judged again, as a permission may have been lost meanwhile; a client that has gone keeps no place either. Codes: `rate_limited` when none has
 * become free for some seconds, and those of `judge`.
 */
export async function inShare<Caller extends object, T>(
  { requests }: Pick<HttpDeps, 'requests'>,
  { caller, judge, hasGone }: Asking<Caller>,
  work: (caller: Caller) => Promise<T>,
): Promise<T> {
  const { workspaceId, person } = caller as Partial<Member>
  if (workspaceId === undefined || person === undefined) return work(caller)
  const sharer = { personId: person.personId, workspaceId }
  const free = requests.take(sharer)
  const place = typeof free === 'function' ? free : await requests.await(sharer, waitMs)
  if (typeof place !== 'function') throw refusal(place)
  try {
    if (place === free) return await work(caller)
    if (hasGone()) throw refusal('person')
    return await work(await judge())
  } finally {
    place()
  }
}

function refusal(full: FullShare): ServiceError {
  return new ServiceError('rate_limited', { message: refusals[full], retryAfterSeconds })
}

const refusals: Record<FullShare, string> = {
  person: 'Too many requests of yours are under way. Try again in a moment.',
  workspace: 'Too many requests of this workspace are under way. Try again in a moment.',
  process: 'Too many requests are under way. Try again in a moment.',
}
