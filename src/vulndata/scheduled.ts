import type { Tx } from '../database/connection.ts'
import { hasPassed } from '../platform/clock.ts'
import type { Config } from '../platform/config/config.ts'
import { enqueue } from '../queue/enqueue.ts'
import type { ScheduledWork } from '../queue/schedule/scheduled-work.ts'
import { sourceOf } from './sources/all.ts'

export const vulndataSchedule: readonly ScheduledWork[] = [
  {
    name: 'refresh sources',
    fetches: true,
    run: ({ db, config }, now) => db.transaction().execute((tx) => orderDueSources(tx, config, now)),
  },
]

/** Every job has a key, and a source counts as tried from its last attempt, whoever made it. */
async function orderDueSources(tx: Tx, config: Config, now: Date): Promise<void> {
  const attempts = await tx.selectFrom('data_source').select(['name', 'last_attempt_at']).execute()
  const lastAttempt = new Map(attempts.map((row) => [row.name, row.last_attempt_at]))
  for (const [source, address] of Object.entries(config.feeds)) {
    if (address === null) continue
    const isTurn = hasPassed(lastAttempt.get(source) ?? null, config.feedsEveryMinutes * 60_000, now)
    if (!isTurn && (await sourceOf(source)?.isAwaited?.(tx)) !== true) continue
    await enqueue(tx, { kind: 'refresh_source', key: source, payload: { source }, runAt: now })
  }
}
