import { sql } from 'kysely'
import { ServiceError } from '../../contract/errors.ts'
import type { SameReport } from '../../contract/incidents/waiting.ts'
import type { Db } from '../../database/connection.ts'
import { isOnSameVulnerability } from '../record/linked.ts'
import { familyNames } from './family-names.ts'
import { reportColumns, toReportSummary, type StoredReport } from './report-summary.ts'
import type { IncidentKey } from './select-decisions.ts'

type Stored = StoredReport &
  Pick<SameReport, 'incident' | 'families' | 'revision' | 'savedBy'> & { savedAt: Date | null }

const max = 199

/**
 * The same report of other open incidents on the vulnerability, the one due first in front; none that is not required, and drills only with
 * drills. Codes: `not_found`. Indexes incident_vuln_key, incident_link_other.
 */
export async function listSameReports(
  db: Db,
  { workspaceId, incidentId, reportId, now }: IncidentKey & { reportId: string; now: Date },
): Promise<SameReport[]> {
  const own = await db
    .selectFrom('regime_report as r')
    .innerJoin('incident as i', 'i.id', 'r.incident_id')
    .select(['i.id', 'i.kind', 'i.vuln_key', 'i.is_exercise', 'r.regime', 'r.report'])
    .where('r.workspace_id', '=', workspaceId)
    .where('r.incident_id', '=', incidentId)
    .where('r.id', '=', reportId)
    .executeTakeFirst()
  if (own === undefined) throw new ServiceError('not_found')
  if (own.vuln_key === null) return []
  const { rows } = await sql<Stored>`
    select ${reportColumns('r')}, jsonb_build_object('id', i.id, 'reference', i.reference) as incident,
      ${familyNames('i.id')} as families,
      coalesce(d.revision, 0) as revision, d.saved_at as "savedAt", d.saved_by_name as "savedBy"
    from incident i
    join regime_report r on r.incident_id = i.id and r.cycle = i.cycle
    left join report_draft d on d.report_id = r.id
    where i.workspace_id = ${workspaceId} and ${isOnSameVulnerability({ id: own.id, vulnKey: own.vuln_key })}
      and i.id <> ${own.id} and i.status = 'open' and i.kind = ${own.kind} and i.is_exercise = ${own.is_exercise}
      and r.regime = ${own.regime} and r.report = ${own.report} and r.state <> 'not_required'
    order by r.due_at nulls last, i.reference
    limit ${max}`.execute(db)
  return rows.map(({ incident, families, revision, savedAt, savedBy, ...report }) => ({
    ...toReportSummary(report, now),
    incident,
    families,
    revision,
    savedAt: savedAt?.toISOString() ?? null,
    savedBy,
  }))
}
