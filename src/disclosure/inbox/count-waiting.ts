import { sql } from 'kysely'
import type { InboxWaiting } from '../../contract/disclosure/shapes.ts'
import { isAllowed, type Role } from '../../contract/roles.ts'
import type { Db } from '../../database/connection.ts'

/**
 * Reports that wait for an answer, as far as the asking member may know. `dueSoon`: since members were first told of it (reports/promise.ts). Index
 * inbox_report_listed.
 */
export async function countWaiting(
  db: Db,
  { workspaceId, role }: { workspaceId: string; role: Role },
  now: Date,
): Promise<InboxWaiting> {
  if (!isAllowed(role, 'see_inbox')) return { unanswered: 0, dueSoon: 0, overdue: 0 }
  const { rows } = await sql<InboxWaiting>`
    select count(*)::int as unanswered,
      (count(*) filter (where acknowledge_by <= ${now}))::int as overdue,
      (count(*) filter (
        where acknowledge_by > ${now} and acknowledge_by - least(interval '24 hours', (acknowledge_by - received_at) / 2) <= ${now}
      ))::int as "dueSoon"
    from inbox_report
    where workspace_id = ${workspaceId} and state = 'new' and answered_at is null and erased_at is null`.execute(
    db,
  )
  return rows[0] ?? { unanswered: 0, dueSoon: 0, overdue: 0 }
}
