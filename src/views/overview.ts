import { sql } from 'kysely'
import type { IncidentOverview, WaitingApproval } from '../contract/incidents/waiting.ts'
import { regimes } from '../contract/alerts/events.ts'
import type { Db } from '../database/connection.ts'
import { countWaiting } from '../disclosure/inbox/count-waiting.ts'
import { selectApprovers } from '../incidents/determinations/approvers.ts'
import { selectRegimeSettings } from '../incidents/regimes/settings.ts'
import { vulnerabilityOf } from '../incidents/reports/same-report.ts'
import { selectDeadlineGroups } from '../incidents/reads/group-deadlines.ts'
import { countToReview } from '../incidents/reads/review-candidates.ts'
import { mayDecide, waitingIn, type Asking } from '../incidents/reads/who-asks.ts'

const shownRows = 20

/** What needs doing, the most urgent first; drills left out. */
export async function describeOverview(db: Db, asking: Asking, now: Date): Promise<IncidentOverview> {
  const { workspaceId } = asking
  const settings = await selectRegimeSettings(db, workspaceId)
  return {
    deadlines: await selectDeadlineGroups(db, { workspaceId, max: shownRows, now }),
    ...(await selectApprovals(db, asking)),
    ...(await selectFigures(db, workspaceId)),
    inbox: await countWaiting(db, asking, now),
    toReview: await countToReview(db, workspaceId),
    approvers: (await selectApprovers(db, workspaceId)).length,
    regimesWithoutAuthority: regimes.filter(
      (regime) => settings[regime] && settings.authorities[regime] === undefined,
    ),
    reportsUnderCra: settings.cra,
    confirmed: settings.confirmed,
  }
}

type StoredApproval = {
  incident: WaitingApproval['incident']
  determination: WaitingApproval['determination']
  recordedBy: string
  recordedAt: Date
  isMine: boolean
  total: number
}

/** What waits for a second person, those that the member may decide first, then the oldest. */
async function selectApprovals(
  db: Db,
  asking: Asking,
): Promise<Pick<IncidentOverview, 'approvals' | 'approvalsTotal'>> {
  const { rows } = await sql<StoredApproval>`
    with ${waitingIn(asking.workspaceId)}
    select jsonb_build_object('id', i.id, 'reference', i.reference, 'title', i.title) as incident,
      case when w.determination_id is not null then jsonb_build_object('id', w.determination_id, 'value', w.value) end
        as determination,
      w.recorded_by_name as "recordedBy", w.recorded_at as "recordedAt", ${mayDecide(asking, 'w')} as "isMine",
      (select count(*) from waiting) as total
    from waiting w
    join incident i on i.workspace_id = ${asking.workspaceId} and i.id = w.incident_id
    order by "isMine" desc, w.recorded_at, w.incident_id, w.determination_id nulls last
    limit ${shownRows}`.execute(db)
  const approvals = rows.map(({ total: _total, recordedAt, ...row }) => ({
    ...row,
    recordedAt: recordedAt.toISOString(),
  }))
  return { approvals, approvalsTotal: rows[0]?.total ?? 0 }
}

type Figures = Pick<
  IncidentOverview,
  'deadlinesTotal' | 'openIncidents' | 'suppressed' | 'untaken' | 'usersNotInformed' | 'destinations'
> & {
  lastDrillAt: Date | null
}

/** Indexes regime_report_open, incident_list, suppressed_opening_subject, determination_incident. */
async function selectFigures(db: Db, workspaceId: string) {
  const { rows } = await sql<Figures>`
    select
      (
        select count(distinct (${vulnerabilityOf('i')}, r.regime, r.report)) from regime_report r
        join incident i on i.workspace_id = r.workspace_id and i.id = r.incident_id and not i.is_exercise
        where r.workspace_id = ${workspaceId} and r.state = 'open'
      ) as "deadlinesTotal",
      (select count(*) from incident where workspace_id = ${workspaceId} and status = 'open' and not is_exercise)
        as "openIncidents",
      (
        select count(*) from incident
        where workspace_id = ${workspaceId} and status = 'open' and not is_exercise and assignee is null
      ) as untaken,
      (
        select count(*) from suppressed_opening s
        join family y on y.workspace_id = s.workspace_id and y.id = s.family_id and y.archived_at is null and y.deleted_at is null
        where s.workspace_id = ${workspaceId} and s.ended_at is null
      ) as suppressed,
      (
        select count(*) from incident i
        where i.workspace_id = ${workspaceId} and not i.is_exercise and i.users_informed is null and exists (
          select from determination d
          where d.workspace_id = i.workspace_id and d.incident_id = i.id and d.cycle = i.cycle and d.state = 'approved'
            and d.value in ('actively_exploited', 'severe_incident')
        )
      ) as "usersNotInformed",
      (
        select count(*) from alert_destination
        where workspace_id = ${workspaceId} and enabled and removed_at is null
      ) as destinations,
      (select max(opened_at) from incident where workspace_id = ${workspaceId} and is_exercise) as "lastDrillAt"`.execute(
    db,
  )
  const { lastDrillAt = null, ...figures } = rows[0] ?? {
    deadlinesTotal: 0,
    openIncidents: 0,
    suppressed: 0,
    untaken: 0,
    usersNotInformed: 0,
    destinations: 0,
  }
  return { ...figures, lastDrillAt: lastDrillAt?.toISOString() ?? null }
}
