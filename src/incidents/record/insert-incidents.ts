import type { Insertable } from 'kysely'
import type { Regime } from '../../contract/alerts/events.ts'
import type { IncidentReference } from '../../contract/incidents/reference.ts'
import type { Tx } from '../../database/connection.ts'
import type { Tables } from '../../database/tables.ts'
import { chunksOf } from '../../platform/postgres/columns.ts'
import { newId } from '../../platform/random.ts'
import { wantedReports, type RegimeFacts, type WantedReport } from '../reports/wanted-reports.ts'
import { takeReferences } from './reference.ts'

/** Below the number of parameters that a statement may have. */
const rowsAtOnce = 1_000

type Insert<Name extends keyof Tables> = Insertable<Tables[Name]>

export type IncidentFamily = { familyId: string; vulnKey: string | null }

/** What an incident is at opening; number and id come with it. */
export type NewIncidentRow = Pick<
  Insert<'incident'>,
  | 'kind'
  | 'title'
  | 'vuln_key'
  | 'aliases'
  | 'source'
  | 'listed_by'
  | 'severity'
  | 'is_exercise'
  | 'opened_by_kind'
  | 'opened_by'
  | 'opened_by_name'
  | 'aware_at'
  | 'occurred_at'
  | 'follows'
> & { families: IncidentFamily[]; regimes: Regime[] }

export type InsertedIncident = NewIncidentRow & { id: string; reference: IncidentReference }

type OpeningIn = { workspaceId: string; timeZone: string; now: Date }

/**
 * Stores incidents with their families, regimes and reports, and gives each its reference. Under `lockOpenings`, in one transaction with
 * their timelines and what is told of them.
 */
export async function insertIncidents(
  tx: Tx,
  incidents: readonly NewIncidentRow[],
  where: OpeningIn,
): Promise<InsertedIncident[]> {
  const { workspaceId, now } = where
  const references = await takeReferences(tx, { workspaceId, count: incidents.length, now })
  const inserted = references.flatMap((reference, index) => {
    const incident = incidents[index]
    return incident === undefined ? [] : [{ ...incident, id: newId(now), reference }]
  })
  for (const some of chunksOf(inserted, rowsAtOnce)) {
    await tx
      .insertInto('incident')
      .values(some.map((one) => incidentRow(one, where)))
      .execute()
  }
  const families = inserted.flatMap((one) => familyRows(one, workspaceId))
  for (const some of chunksOf(families, rowsAtOnce))
    await tx.insertInto('incident_family').values(some).execute()
  const regimes = inserted.flatMap((one) => regimeRows(one, where))
  for (const some of chunksOf(regimes, rowsAtOnce))
    await tx.insertInto('incident_regime').values(some).execute()
  const reports = inserted.flatMap((one) => reportRows(one, where))
  for (const some of chunksOf(reports, rowsAtOnce))
    await tx.insertInto('regime_report').values(some).execute()
  return inserted
}

function incidentRow(
  { families: _families, regimes: _regimes, ...incident }: InsertedIncident,
  { workspaceId, now }: OpeningIn,
): Insert<'incident'> {
  return {
    ...incident,
    workspace_id: workspaceId,
    status: 'open',
    opened_at: now,
    measure_available_at: null,
    assignee: null,
    users_informed: null,
    maintainer_informed: null,
    closed_at: null,
    closed_by_name: null,
    close_reason: null,
  }
}

function familyRows({ id, families, is_exercise }: InsertedIncident, workspaceId: string) {
  return families.map(({ familyId, vulnKey }) => ({
    workspace_id: workspaceId,
    incident_id: id,
    family_id: familyId,
    vuln_key: vulnKey,
    is_open: true,
    is_exercise,
  }))
}

function regimeRows({ id, regimes, opened_by_name }: InsertedIncident, { workspaceId, now }: OpeningIn) {
  return regimes.map((regime) => ({
    workspace_id: workspaceId,
    incident_id: id,
    regime,
    is_active: true,
    aware_at: null,
    classified_at: null,
    waiver: null,
    reason: null,
    changed_at: now,
    changed_by_name: opened_by_name,
  }))
}

function reportRows(incident: InsertedIncident, { workspaceId, timeZone, now }: OpeningIn) {
  const { kind, aware_at } = incident
  const regimes: RegimeFacts[] = incident.regimes.map((regime) => ({
    regime,
    isActive: true,
    awareAt: null,
    classifiedAt: null,
    waiver: null,
  }))
  const wanted = wantedReports({
    kind,
    awareAt: new Date(aware_at),
    measureAvailableAt: null,
    timeZone,
    regimes,
    submissions: [],
  })
  return wanted.map((report) => reportRow(report, { workspaceId, incidentId: incident.id, cycle: 1, now }))
}

/** A report as it is first stored. */
export function reportRow(
  { regime, report, state, dueAt, leadHours, reason, submittedAt }: WantedReport,
  {
    workspaceId,
    incidentId,
    cycle,
    now,
  }: { workspaceId: string; incidentId: string; cycle: number; now: Date },
): Insert<'regime_report'> {
  return {
    id: newId(now),
    workspace_id: workspaceId,
    incident_id: incidentId,
    regime,
    report,
    cycle,
    state,
    due_at: dueAt,
    lead_hours: leadHours,
    reason,
    created_at: now,
    submitted_at: submittedAt,
    warned_at: null,
    mailed_at: null,
    overdue_told_at: null,
  }
}
