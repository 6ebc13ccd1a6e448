import type { Selectable } from 'kysely'
import type {
  AwarenessRow,
  DeterminationRow,
  IncidentTask,
  RecordedDecision,
} from '../../contract/incidents/shapes.ts'
import type { Db } from '../../database/connection.ts'
import type { DecisionColumns } from '../../database/tables/incidents.ts'

export type IncidentKey = { workspaceId: string; incidentId: string }

/** The newest first; no incident has that many. */
const shownRows = 200

export async function selectDeterminations(
  db: Db,
  { workspaceId, incidentId }: IncidentKey,
): Promise<DeterminationRow[]> {
  const rows = await db
    .selectFrom('determination')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('incident_id', '=', incidentId)
    .orderBy('recorded_at', 'desc')
    .orderBy('id', 'desc')
    .limit(shownRows)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    scope: row.scope,
    value: row.value,
    state: row.state,
    cycle: row.cycle,
    reasoning: row.reasoning,
    evidence: row.evidence,
    approvers: row.approvers,
    ...decisionOf(row),
  }))
}

export async function selectAwareness(
  db: Db,
  { workspaceId, incidentId }: IncidentKey,
): Promise<AwarenessRow[]> {
  const rows = await db
    .selectFrom('awareness_change')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('incident_id', '=', incidentId)
    .orderBy('recorded_at', 'desc')
    .orderBy('id', 'desc')
    .limit(shownRows)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    regime: row.regime,
    from: row.from_at.toISOString(),
    to: row.to_at.toISOString(),
    reason: row.reason,
    state: row.state,
    ...decisionOf(row),
  }))
}

function decisionOf(row: Selectable<DecisionColumns>): RecordedDecision {
  return {
    recordedBy: { id: row.recorded_by, name: row.recorded_by_name },
    recordedAt: row.recorded_at.toISOString(),
    decidedBy: row.decided_by_name,
    decidedAt: row.decided_at?.toISOString() ?? null,
    comment: row.comment,
    selfApproved: row.self_approved,
  }
}

/** Those to be done first, by when they are due. Index incident_task_of. */
export async function selectTasks(db: Db, { workspaceId, incidentId }: IncidentKey): Promise<IncidentTask[]> {
  const rows = await db
    .selectFrom('incident_task')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('incident_id', '=', incidentId)
    .orderBy('done_at', (order) => order.desc().nullsFirst())
    .orderBy('due_at', (order) => order.asc().nullsLast())
    .orderBy('created_at')
    .orderBy('id')
    .limit(shownRows)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    title: row.title,
    dueAt: row.due_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    createdBy: row.created_by_name,
    doneAt: row.done_at?.toISOString() ?? null,
    doneBy: row.done_by_name,
  }))
}
