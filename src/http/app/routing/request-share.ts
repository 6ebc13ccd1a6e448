import type { Duplex } from 'node:stream'
import { ServiceError } from '../../../contract/errors.ts'
import type { FullShare, ShareBounds, Shares } from '../../../platform/concurrency/shares.ts'
import type { HttpDeps } from '../../deps.ts'
import type { Member } from './member.ts'

/** Searches at the same moment in one process; people who keep typing ask again before the last answer arrives. */
const searches = { person: 2, workspace: 4 }

export function searchBounds(poolSize: number): ShareBounds {
  return { ...searches, process: Math.max(1, Math.floor(poolSize / 2)) }
}

/**
 * The requests of members that are worked on at the same moment in one process. Each takes a session of the database now and then, and two are
 * left to everybody else: whoever asks a hundred questions at once waits for the answers alone.
 */
export function requestBounds(poolSize: number): ShareBounds {
  const partOfPool = (part: number) => Math.max(1, Math.floor(poolSize * part))
  return { person: partOfPool(0.4), workspace: partOfPool(0.6), process: Math.max(1, poolSize - 2) }
}

type Line = { shares: Shares; waitMs: number; refusals: Record<FullShare, string> }

/** What a request waits for, one after the other: a search, for its turn among searches before it keeps a place of requests. */
function linesOf({ searches, requests }: Deps, isSearch: boolean): Line[] {
  const ofRequests = { shares: requests, ...requestLine }
  return isSearch ? [{ shares: searches, ...searchLine }, ofRequests] : [ofRequests]
}

type Deps = Pick<HttpDeps, 'searches' | 'requests'>

type Asking<Caller> = {
  caller: Caller
  judge: () => Promise<Caller>
  isSearch: boolean
  connection: Duplex
}

/**
 * Works on a request once a place is free. It is for requests that have arrived completely: a slow sender keeps no place. Whoever had to wait is
 * judged again, as a permission may have been lost meanwhile; a client that goes waits no longer. Codes: `rate_limited` when none has
 * become free for some seconds, and those of `judge`.
 */
export async function inShare<Caller extends object, T>(
  deps: Deps,
  { caller, judge, isSearch, connection }: Asking<Caller>,
  work: (caller: Caller) => Promise<T>,
): Promise<T> {
  const { workspaceId, person } = caller as Partial<Member>
  if (workspaceId === undefined || person === undefined) return work(caller)
  using places = new DisposableStack()
  let hasWaited = false
  for (const { shares, waitMs, refusals } of linesOf(deps, isSearch)) {
    const sharer = { personId: person.personId, workspaceId }
    const entry = await shares.await(sharer, { withinMs: waitMs, connection })
    if (typeof entry === 'string')
      throw new ServiceError('rate_limited', { message: refusals[entry], retryAfterSeconds: 5 })
    places.defer(entry.giveBack)
    hasWaited ||= entry.hasWaited
  }
  return await work(hasWaited ? await judge() : caller)
}

const requestLine = {
  /** Longer than a check of an advisory takes on a busy machine. */
  waitMs: 20_000,
  refusals: {
    person: 'You have too many requests under way. Try again in a moment.',
    workspace: 'This workspace has too many requests under way. Try again in a moment.',
    process: 'Too many requests are under way. Try again in a moment.',
  },
}

const searchLine = {
  /** A search is short, so waiting for a slot beats asking again. */
  waitMs: 5_000,
  refusals: {
    person: `You already have ${searches.person} searches under way, the most that one person can have. Try again in a moment.`,
    workspace: `This workspace already has ${searches.workspace} searches under way, the most that it can have. Try again in a moment.`,
    process: 'Too many searches are under way. Try again in a moment.',
  },
}
