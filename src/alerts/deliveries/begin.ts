import { sql } from 'kysely'
import type { Db } from '../../database/connection.ts'
import { isAnswered } from '../../incidents/reports/is-answered.ts'
import { prepared } from '../../platform/postgres/prepared.ts'
import { planAndDates, type PlanAndDates } from '../../workspace/state.ts'
import type { ClaimedDelivery } from './claim.ts'
import type { Attempt } from './settle.ts'

/** What decides whether a delivery is sent, as it is when the receiver is connected. */
export type Circumstances = PlanAndDates &
  Pick<ClaimedDelivery, 'id' | 'enabled' | 'removed_at' | 'is_answered'>

/**
 * Records the start of attempts: from now on a receiver may have seen them. Returns the deliveries that are still theirs, with what may have changed
 * while the receiver was looked up and connected; those that another attempt has claimed, or that have a result, are not sent.
 */
export async function recordBegun(db: Db, attempts: readonly Attempt[]): Promise<Map<string, Circumstances>> {
  const { rows } = await sql<Circumstances>`
    with locked as (
      select d.id from alert_delivery d
      join unnest(
        ${attempts.map(({ id }) => id)}::uuid[], ${attempts.map((one) => one.attempts)}::smallint[]
      ) a(id, attempts) on a.id = d.id and a.attempts = d.attempts
      where d.state = 'sending' order by d.id for no key update of d
    )
    update alert_delivery d set begun = d.begun + 1
    from locked, alert_destination t, workspace w
    where d.id = locked.id and t.id = d.destination_id and w.id = d.workspace_id
    returning d.id, t.enabled, t.removed_at, ${planAndDates('w')},
      ${isAnswered(sql.ref('d.type'), sql.ref('d.event_id'))} as is_answered
    ${prepared}`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}
