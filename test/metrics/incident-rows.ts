import { randomUUID } from 'node:crypto'
import type { IncidentReference } from '../../src/contract/incidents/reference.ts'
import type { ReportStage } from '../../src/contract/alerts/events.ts'
import type { Db } from '../../src/database/connection.ts'
import type { Family } from '../support/rows.ts'

export type IncidentKey = { workspaceId: string; incidentId: string }
type IncidentFacts = {
  reference: IncidentReference
  openedAt: Date
  closedAt?: Date
  isExercise?: boolean
  vulnKey?: string
}

/** A stored incident, severe or on a vulnerability, without its timeline. */
export async function addIncident(
  db: Db,
  { workspaceId }: Family,
  { reference, openedAt, closedAt, isExercise = false, vulnKey }: IncidentFacts,
): Promise<IncidentKey> {
  const incidentId = randomUUID()
  await db
    .insertInto('incident')
    .values({
      id: incidentId,
      workspace_id: workspaceId,
      reference,
      kind: vulnKey === undefined ? 'severe_incident' : 'vulnerability',
      title: 'Stolen signing key',
      vuln_key: vulnKey ?? null,
      aliases: [],
      source: 'manual',
      listed_by: [],
      severity: 'critical',
      is_exercise: isExercise,
      status: closedAt === undefined ? 'open' : 'closed',
      opened_at: openedAt,
      opened_by_kind: 'system',
      opened_by: null,
      opened_by_name: 'SBOM Monitor',
      aware_at: openedAt,
      occurred_at: null,
      measure_available_at: null,
      assignee: null,
      follows: null,
      users_informed: null,
      maintainer_informed: null,
      closed_at: closedAt ?? null,
      closed_by_name: null,
      close_reason: null,
    })
    .execute()
  return { workspaceId, incidentId }
}

/** An open CRA report. */
export async function addReport(
  db: Db,
  { workspaceId, incidentId }: IncidentKey,
  { report, dueAt }: { report: ReportStage; dueAt: Date },
): Promise<void> {
  await db
    .insertInto('regime_report')
    .values({
      id: randomUUID(),
      workspace_id: workspaceId,
      incident_id: incidentId,
      regime: 'cra',
      report,
      cycle: 1,
      state: 'open',
      due_at: dueAt,
      lead_hours: 4,
      reason: null,
      created_at: dueAt,
      submitted_at: null,
      warned_at: null,
      mailed_at: null,
      overdue_told_at: null,
    })
    .execute()
}
