import { sql } from 'kysely'
import type { Db } from '../../database/connection.ts'
import { hourMs } from '../../contract/durations.ts'

/** Of one workspace: how many of its destinations nothing has reached for an hour or longer, and since when. */
export type FailingDestinations = { slug: string; destinations: number; since: Date }

/**
 * Destinations that are switched on, whose last delivery failed, as did every one for an hour at least. By workspace, longest first; nothing that a workspace
 * has named. One that was sent later than now was so before the clock was set back. Few have a last error; index alert_delivery_history.
 */
export async function selectFailingDestinations(db: Db, now: Date): Promise<FailingDestinations[]> {
  const { rows } = await sql<FailingDestinations>`
    select w.slug, count(*) as destinations, min(f.since) as since
    from alert_destination d
    join workspace w on w.id = d.workspace_id
    cross join lateral (
      select min(x.created_at) as since from alert_delivery x
      where x.destination_id = d.id and x.state = 'failed' and x.created_at > coalesce((
        select r.created_at from alert_delivery r
        where r.destination_id = d.id and r.state = 'sent' and r.created_at <= ${now} order by r.created_at desc, r.id desc limit 1
      ), '-infinity')
    ) f
    where d.removed_at is null and d.enabled and d.last_error is not null
      and f.since <= ${new Date(now.getTime() - hourMs)}
    group by w.slug order by since, w.slug`.execute(db)
  return rows
}
