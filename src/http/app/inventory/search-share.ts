import { ServiceError } from '../../../contract/errors.ts'
import type { FullShare, ShareBounds, Shares } from '../../../platform/concurrency/shares.ts'
import type { Member } from '../routing/member.ts'

/** Searches at the same moment in one process; people who keep typing ask again before the last answer arrives. */
const share = { person: 2, workspace: 4 }
/** A search is short, so waiting for a slot beats asking again. */
const waitMs = 5_000
const retryAfterSeconds = 5

export function searchBounds(poolSize: number): ShareBounds {
  return { ...share, process: Math.max(1, Math.floor(poolSize / 2)) }
}

type Searching = Pick<Member, 'workspaceId' | 'person'> & { deps: { searches: Shares } }

/** Searches once a slot is free. Codes: `rate_limited` when none has become free for some seconds. */
export async function inTurn<T>(
  { workspaceId, person: { personId }, deps: { searches } }: Searching,
  search: () => Promise<T>,
): Promise<T> {
  const place = await searches.await({ personId, workspaceId }, waitMs)
  if (typeof place !== 'function')
    throw new ServiceError('rate_limited', { message: refusals[place], retryAfterSeconds })
  try {
    return await search()
  } finally {
    place()
  }
}

const refusals: Record<FullShare, string> = {
  person: `${share.person} searches of yours are under way, as many as one person can have. Try again in a moment.`,
  workspace: `${share.workspace} searches of this workspace are under way, as many as it can have. Try again in a moment.`,
  process: 'Too many searches are under way. Try again in a moment.',
}
