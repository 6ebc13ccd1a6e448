import type { Db } from '../database/connection.ts'
import { hasPassed } from '../platform/clock.ts'
import { feedNames, type Config } from '../platform/config.ts'
import type { Deps } from '../platform/deps.ts'
import { enqueue } from '../platform/jobs/enqueue.ts'
import { refreshExpired } from '../vex/decisions/decisions.ts'
import { endWindows } from '../workspace/people/sign-in-window.ts'

const sessionGraceMs = 24 * 3600 * 1000

type Schedule = Pick<Deps, 'db' | 'now'> & { config: Config }

/**
 * Orders what is due by the product clock. Any number of processes may tick: every order has a key, and a source counts as tried
 * from its last attempt, whoever made it.
 */
export async function tickSchedules(
  { db, now, config }: Schedule,
  { withFeeds }: { withFeeds: boolean },
): Promise<void> {
  const at = now()
  if (withFeeds) await orderDueSources(db, config, at)
  await refreshExpired(db, at)
  await forgetEndedSessions(db, at)
  await endWindows(db, at)
}

async function orderDueSources(db: Db, config: Config, now: Date): Promise<void> {
  const attempts = await db.selectFrom('data_source').select(['name', 'last_attempt_at']).execute()
  const lastAttempt = new Map(attempts.map((row) => [row.name, row.last_attempt_at]))
  for (const source of feedNames) {
    if (config.feeds[source] === null) continue
    if (!hasPassed(lastAttempt.get(source) ?? null, config.feedsEveryMinutes * 60_000, now)) continue
    await enqueue(db, { kind: 'refresh_source', key: source, payload: { source }, runAt: now })
  }
}

async function forgetEndedSessions(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - sessionGraceMs)
  await db.deleteFrom('session').where('expires_at', '<', before).execute()
}
