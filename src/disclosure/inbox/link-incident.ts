import { ServiceError } from '../../contract/errors.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { openFromReport, type NewManualIncident } from '../../incidents/openings/open-manually.ts'
import { lockIncident, type PersonActor } from '../../incidents/record/lock-incident.ts'
import { noteAct } from '../../incidents/record/note-act.ts'
import type { Sealing } from '../../platform/sealing/sealing.ts'
import { refuseSpam } from './answer-report.ts'
import { addEntry, onReport, recordReportAct, type LockedReport, type ReportAct } from './lock-report.ts'

type LinkAct = ReportAct & { actor: PersonActor }

/**
 * Opens an incident that a report belongs to. Nothing the reporter wrote goes along. Codes: `not_found`, `invalid_request`, `conflict` (spam,
 * erased, or a family has an open incident on the vulnerability).
 */
export async function openIncidentFromReport(
  db: Db,
  act: LinkAct,
  given: NewManualIncident & { awareReason?: string },
): Promise<{ id: string; reference: string }> {
  return onReport(db, act, async (tx, report) => {
    refuseSpam(report)
    const { number, received_at: receivedAt } = report
    const incident = await openFromReport(tx, act, {
      ...given,
      report: { name: `#${number}`, receivedAt },
    })
    await insertLink(tx, act, { report, incident })
    return incident
  })
}

/** Says that a report belongs to an incident. Codes: `not_found`, `invalid_request` (no such incident), `conflict` (linked, spam, erased). */
export async function linkIncident(db: Db, act: LinkAct, incidentId: string): Promise<void> {
  const { workspaceId, actor, now } = act
  await onReport(db, act, async (tx, report) => {
    refuseSpam(report)
    const incident = await lockIncident(tx, workspaceId, incidentId).catch((error: unknown) => {
      if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error
      throw new ServiceError('invalid_request', { fields: { incident: 'There is no such incident.' } })
    })
    await insertLink(tx, act, { report, incident })
    const name = `#${report.number}`
    await noteAct(tx, incident, {
      actor,
      now,
      kind: 'report_linked',
      data: { name },
      after: { report: name },
    })
  })
}

/**
 * Takes back a link that was a mistake: the incident keeps its clocks, its time of awareness and what was recorded on it. Codes: `not_found` (also:
 * not linked), `conflict` (spam, erased), `not_configured`.
 */
export async function unlinkIncident(
  db: Db,
  act: LinkAct,
  { incidentId, sealing }: { incidentId: string; sealing: Sealing },
): Promise<void> {
  const { workspaceId, actor, now } = act
  await onReport(db, act, async (tx, report) => {
    refuseSpam(report)
    const incident = await lockIncident(tx, workspaceId, incidentId)
    await deleteLink(tx, report, incident)
    const { reference } = incident
    await addEntry(tx, report, { act, kind: 'note', text: `No longer linked to ${reference}.`, sealing })
    await recordReportAct(tx, act, {
      report,
      action: 'incident_unlinked',
      before: { incident: reference },
    })
    const name = `#${report.number}`
    await noteAct(tx, incident, {
      actor,
      now,
      kind: 'report_unlinked',
      data: { name },
      before: { report: name },
    })
  })
}

async function deleteLink(tx: Tx, report: LockedReport, incident: { id: string }): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('inbox_report_incident')
    .where('workspace_id', '=', report.workspace_id)
    .where('report_id', '=', report.id)
    .where('incident_id', '=', incident.id)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw new ServiceError('not_found')
}

async function insertLink(
  tx: Tx,
  act: LinkAct,
  { report, incident }: { report: LockedReport; incident: { id: string; reference: string } },
): Promise<void> {
  const link = { workspace_id: act.workspaceId, report_id: report.id, incident_id: incident.id }
  const inserted = await tx
    .insertInto('inbox_report_incident')
    .values({ ...link, linked_at: act.now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('incident_id')
    .executeTakeFirst()
  if (inserted === undefined) {
    throw new ServiceError('conflict', { message: `The report is already linked to ${incident.reference}.` })
  }
  await recordReportAct(tx, act, {
    report,
    action: 'incident_linked',
    after: { incident: incident.reference },
  })
}
