import { sql } from 'kysely'
import type { Db } from '../../database/connection.ts'
import { enqueueNotice } from '../../workspace/enqueue-notice.ts'
import { staysHere } from '../../workspace/state.ts'
import { nextReminder } from '../reports/promise.ts'

const atOnce = 100

type Due = {
  id: string
  workspace_id: string
  number: number
  family: string | null
  received_at: Date
  acknowledge_by: Date
}

/**
 * Scheduled: members are told of reports that wait for an answer: before the promise ends, when it ends, and each day after. The
 * process that moves the time of the next reminder sends it, whatever the number of processes. Index inbox_report_remind.
 */
export async function remindOfReports(db: Db, now: Date): Promise<void> {
  for (let found = atOnce; found === atOnce;) {
    found = await db.transaction().execute(async (tx) => {
      const { rows } = await sql<Due>`
        select r.id, r.workspace_id, r.number, f.name as family, r.received_at, r.acknowledge_by
        from inbox_report r join workspace w on w.id = r.workspace_id and ${staysHere('w')} left join family f on f.id = r.family_id
        where r.remind_at <= ${now} and r.acknowledge_by is not null
        order by r.remind_at limit ${atOnce} for update of r skip locked`.execute(tx)
      for (const { id, workspace_id: workspaceId, number, family, ...times } of rows) {
        const { received_at: receivedAt, acknowledge_by: until } = times
        await tx
          .updateTable('inbox_report')
          .set({ remind_at: nextReminder(until, now) })
          .where('id', '=', id)
          .execute()
        const report = {
          number,
          family,
          receivedAt: receivedAt.toISOString(),
          acknowledgeBy: until.toISOString(),
        }
        const data = { report, isOverdue: now >= until }
        await enqueueNotice(tx, { to: { workspaceId }, fact: { type: 'report.unanswered', data }, now })
      }
      return rows.length
    })
  }
}
