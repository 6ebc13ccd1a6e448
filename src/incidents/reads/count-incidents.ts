import { sql } from 'kysely'
import type { IncidentCounts } from '../../contract/incidents/waiting.ts'
import type { Db } from '../../database/connection.ts'
import { mayDecide, waitingIn, type Asking } from './who-asks.ts'

/**
 * Open incidents, their reports that are overdue or due soon, and what waits for the member who asks; drills left out. Indexes incident_list,
 * regime_report_open, determination_waiting.
 */
export async function countIncidents(db: Db, asking: Asking, now: Date): Promise<IncidentCounts> {
  const { workspaceId } = asking
  const { rows } = await sql<IncidentCounts>`
    with ${waitingIn(workspaceId)}
    select
      (select count(*) from incident where workspace_id = ${workspaceId} and status = 'open' and not is_exercise) as open,
      (select count(*) from waiting w where ${mayDecide(asking, 'w')}) as "waitingForMe",
      count(*) filter (where r.due_at < ${now}) as overdue,
      count(*) filter (where r.due_at >= ${now} and r.due_at - make_interval(hours => r.lead_hours) <= ${now}) as "dueSoon"
    from regime_report r
    join incident i on i.workspace_id = r.workspace_id and i.id = r.incident_id and not i.is_exercise
    where r.workspace_id = ${workspaceId} and r.state = 'open'`.execute(db)
  return rows[0] ?? { open: 0, overdue: 0, dueSoon: 0, waitingForMe: 0 }
}
