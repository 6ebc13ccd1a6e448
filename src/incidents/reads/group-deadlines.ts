import { sql } from 'kysely'
import type { DeadlineGroup } from '../../contract/incidents/waiting.ts'
import type { Db } from '../../database/connection.ts'
import { sameReport } from '../reports/same-report.ts'
import { familyNames } from './family-names.ts'
import { reportColumns, toReportSummary, type StoredReport } from './report-summary.ts'

type StoredGroup = StoredReport & Pick<DeadlineGroup, 'incident' | 'families' | 'vulnKey' | 'incidents'>

/**
 * The open reports of a workspace with a deadline, grouped by vulnerability, regime and stage: the one due first, and in how many incidents it is to
 * be filed. Drills are left out, or are groups of their own. Index regime_report_open.
 */
export async function selectDeadlineGroups(
  db: Db,
  {
    workspaceId,
    max,
    now,
    drills = false,
  }: { workspaceId: string; max: number; now: Date; drills?: boolean },
): Promise<DeadlineGroup[]> {
  const { rows } = await sql<StoredGroup>`
    select d.id, d.regime, d.report, d.cycle, d.state, d."dueAt", d."submittedAt", d."leadHours", d.reason,
      d."vulnKey", d.incidents,
      jsonb_build_object('id', d.incident_id, 'reference', d.reference, 'title', d.title, 'isExercise', d.is_exercise) as incident,
      ${familyNames('d.incident_id')} as families
    from (
      select ${reportColumns('r')}, r.incident_id, i.reference, i.title, i.is_exercise, i.vuln_key as "vulnKey",
        count(*) over same as incidents, row_number() over (same order by r.due_at, i.reference) as place
      from regime_report r
      join incident i on i.workspace_id = r.workspace_id and i.id = r.incident_id and (${drills} or not i.is_exercise)
      where r.workspace_id = ${workspaceId} and r.state = 'open'
      window same as (${sameReport('i', 'r')})
    ) d
    where d.place = 1
    order by d."dueAt", d.reference, d.regime, d.report
    limit ${max}`.execute(db)
  return rows.map(({ incident, families, vulnKey, incidents, ...report }) => ({
    ...toReportSummary(report, now),
    incident,
    families,
    vulnKey,
    incidents,
  }))
}
