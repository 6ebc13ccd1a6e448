import type { Selectable } from 'kysely'
import { ServiceError } from '../../contract/errors.ts'
import type { Db } from '../../database/connection.ts'
import type { Tables } from '../../database/tables.ts'
import type { Incident } from '../record/lock-incident.ts'

export type Report = Selectable<Tables['regime_report']>

type IncidentRow = Pick<Incident, 'id' | 'workspace_id'>

/** A report of an incident. Codes: `not_found`. */
export async function selectReport(db: Db, incident: IncidentRow, reportId: string): Promise<Report> {
  const report = (await selectReports(db, incident)).find(({ id }) => id === reportId)
  if (report === undefined) throw new ServiceError('not_found')
  return report
}

/** Every report of an incident, of all cycles. */
export async function selectReports(db: Db, { id, workspace_id }: IncidentRow): Promise<Report[]> {
  return db
    .selectFrom('regime_report')
    .selectAll()
    .where('workspace_id', '=', workspace_id)
    .where('incident_id', '=', id)
    .execute()
}

/** Codes: `conflict` on a report that no longer counts, because the incident was reopened with new evidence. */
export function refuseEarlierCycle({ cycle }: Pick<Report, 'cycle'>, incident: Incident): void {
  if (cycle === incident.cycle) return
  throw new ServiceError('conflict', {
    message: 'This report is of an earlier cycle: the incident was reopened with new evidence since.',
  })
}
