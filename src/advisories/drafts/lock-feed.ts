import type { Tx } from '../../database/connection.ts'
import type { Clock } from '../../platform/clock.ts'
import { effectiveState, refuseWhenReadOnly, stateColumns } from '../../workspace/state.ts'

type LockedFeed = {
  slug: string
  now: Date
  trackingPrefix: string
  secondPersonPublishes: boolean
  generalNote: string
  legalNote: string
  lastReleasedAt: Date | null
  lastWhiteAt: Date | null
}

/**
 * Locks what a workspace publishes: its advisories are numbered, changed and published one at a time. Checks the workspace's state again,
 * because its plan may have ended since the request was admitted. Codes: `billing_lapsed`.
 */
export async function lockFeed(tx: Tx, workspaceId: string, clock: Clock): Promise<LockedFeed> {
  await tx
    .insertInto('advisory_feed')
    .values({ workspace_id: workspaceId, tracking_prefix: null, last_released_at: null, last_white_at: null })
    .onConflict((conflict) => conflict.column('workspace_id').doNothing())
    .execute()
  const feed = await tx
    .selectFrom('advisory_feed')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  // after the feed: somebody who waits for that must have no lock that its holder may need
  const workspace = await tx
    .selectFrom('workspace')
    .select(['slug', ...stateColumns])
    .where('id', '=', workspaceId)
    .forShare()
    .executeTakeFirstOrThrow()
  const now = clock()
  refuseWhenReadOnly(effectiveState(workspace, now))
  return {
    slug: workspace.slug,
    now,
    trackingPrefix: feed.tracking_prefix ?? defaultPrefix(workspace.slug),
    secondPersonPublishes: feed.second_person_publishes,
    generalNote: feed.general_note,
    legalNote: feed.legal_note,
    lastReleasedAt: feed.last_released_at,
    lastWhiteAt: feed.last_white_at,
  }
}

/** `ACME-SA` of `acme`. */
export function defaultPrefix(slug: string): string {
  return `${slug.toUpperCase()}-SA`
}
