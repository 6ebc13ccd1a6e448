import { sql } from 'kysely'
import type { Deadline } from '../../contract/incidents/waiting.ts'
import type { Db } from '../../database/connection.ts'
import { familyNames } from './family-names.ts'
import { reportColumns, toReportSummary, type StoredReport } from './report-summary.ts'

type StoredDeadline = StoredReport & Pick<Deadline, 'incident' | 'families'>

type Asked = { workspaceId: string; max: number; now: Date }

/** The open reports of a workspace with a deadline, the one due first in front. Index regime_report_open. */
export async function selectDeadlines(db: Db, { workspaceId, max, now }: Asked): Promise<Deadline[]> {
  const { rows } = await sql<StoredDeadline>`
    select ${reportColumns('r')},
      jsonb_build_object('id', i.id, 'reference', i.reference, 'title', i.title, 'isExercise', i.is_exercise) as incident,
      ${familyNames('i.id')} as families
    from regime_report r
    join incident i on i.workspace_id = r.workspace_id and i.id = r.incident_id
    where r.workspace_id = ${workspaceId} and r.state = 'open'
    order by r.due_at, i.reference, r.regime, r.report
    limit ${max}`.execute(db)
  return rows.map(({ incident, families, ...report }) => ({
    ...toReportSummary(report, now),
    incident,
    families,
  }))
}
