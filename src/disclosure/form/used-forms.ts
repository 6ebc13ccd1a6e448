import type { Db } from '../../database/connection.ts'
import { hourMs } from '../../contract/durations.ts'

/** Longer than a stamp is good for, whatever the clocks of processes say. */
const keptMs = 25 * hourMs

/** Scheduled: a form whose stamp is stale needs no memory of having been sent. */
export async function forgetUsedForms(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('used_form')
    .where('used_at', '<', new Date(now.getTime() - keptMs))
    .execute()
}
