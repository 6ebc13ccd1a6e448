import type { Db } from '../../database/connection.ts'
import { dayMs } from '../../contract/durations.ts'

const recentMs = dayMs

/** Deliveries that failed in the last day, those of removed destinations too. Index alert_delivery_problems. */
export async function countRecentProblems(db: Db, workspaceId: string, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom('alert_delivery')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .where('state', '=', 'failed')
    .where('created_at', '>', new Date(now.getTime() - recentMs))
    .executeTakeFirstOrThrow()
  return count
}
