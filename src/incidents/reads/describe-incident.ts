import { sql } from 'kysely'
import { ServiceError } from '../../contract/errors.ts'
import type {
  AwarenessRow,
  DeterminationRow,
  IncidentDetail,
  Informed,
} from '../../contract/incidents/shapes.ts'
import type { DeterminationScope } from '../../contract/incidents/words.ts'
import { otherIds } from '../../contract/public/public-id.ts'
import type { ActorKind } from '../../contract/roles.ts'
import type { Db } from '../../database/connection.ts'
import { closingBlockers } from '../closing/blockers.ts'
import { approvalFor, selectApprovers } from '../determinations/approvers.ts'
import { selectScopes } from '../regimes/where-set.ts'
import { incidentColumns, toIncidentRow, type StoredIncident } from './incident-row.ts'
import { toReportSummary } from './report-summary.ts'
import { selectAffectedRows } from './select-affected.ts'
import { selectRegimes, selectRelated, selectReports, selectSuggested } from './select-clocks.ts'
import { selectAwareness, selectDeterminations, selectTasks, type IncidentKey } from './select-decisions.ts'
import { selectFlaw } from './select-flaw.ts'
import { selectLinked } from './select-linked.ts'
import { selectSubmissions } from './select-submissions.ts'
import type { Asking } from './who-asks.ts'

type StoredDetail = StoredIncident & {
  aliases: string[]
  openedByKind: ActorKind
  openedByName: string
  occurredAt: Date | null
  measureAvailableAt: Date | null
  memberStates: string[]
  cycle: number
  timeZone: string
  follows: string | null
  usersInformed: Informed | null
  maintainerInformed: Informed | null
  closedAt: Date | null
  closedBy: string | null
  closeReason: string | null
  untakenSince: Date
}

/** An incident with everything its page shows, as the member who asks may act on it. Codes: `not_found`. */
export async function describeIncident(
  db: Db,
  asking: Asking,
  { incidentId, now }: { incidentId: string; now: Date },
): Promise<IncidentDetail> {
  const place = { workspaceId: asking.workspaceId, incidentId }
  const stored = await selectIncident(db, place, now)
  const { next: _next, sameAs: _sameAs, ...row } = toIncidentRow(stored, now)
  const regimes = await selectRegimes(db, place, stored.awareAt)
  const reports = await selectReports(db, place)
  const determinations = await selectDeterminations(db, place)
  const awareness = await selectAwareness(db, place)
  const ofCycle = ({ cycle }: { cycle: number }) => cycle === stored.cycle
  return {
    ...row,
    ...factsOf(stored),
    flaw: await selectFlaw(db, place),
    regimes,
    suggestedRegimes: await selectSuggested(db, place, { kind: stored.kind, regimes }),
    reports: reports.map((report) => toReportSummary(report, now)),
    ...(await selectAffectedRows(db, incidentId)),
    determinationScopes: await selectScopes(db, asking.workspaceId, determinations),
    determinations,
    awareness,
    submissions: await selectSubmissions(db, place),
    tasks: await selectTasks(db, place),
    related: await selectRelated(db, place, stored),
    ...(await selectLinked(db, asking, incidentId)),
    approvals: await approvalsOf(db, asking, { determinations, awareness }),
    blockers: closingBlockers({
      regimes,
      determinations: determinations.filter(ofCycle),
      isAwarenessPending: awareness.some(({ state }) => state === 'pending'),
      reports: reports.filter(ofCycle),
    }),
  }
}

async function selectIncident(
  db: Db,
  { workspaceId, incidentId }: IncidentKey,
  now: Date,
): Promise<StoredDetail> {
  const { rows } = await sql<StoredDetail>`
    select ${incidentColumns('i', now)}, i.aliases, i.opened_by_kind as "openedByKind", i.opened_by_name as "openedByName",
      i.occurred_at as "occurredAt", i.measure_available_at as "measureAvailableAt", i.member_states as "memberStates", i.cycle,
      w.time_zone as "timeZone", i.follows, i.users_informed as "usersInformed", i.maintainer_informed as "maintainerInformed",
      i.closed_at as "closedAt", i.closed_by_name as "closedBy", i.close_reason as "closeReason",
      coalesce(i.untaken_since, i.opened_at) as "untakenSince"
    from incident i
    join workspace w on w.id = i.workspace_id
    where i.workspace_id = ${workspaceId} and i.id = ${incidentId}`.execute(db)
  const [stored] = rows
  if (stored === undefined) throw new ServiceError('not_found')
  return stored
}

function factsOf(stored: StoredDetail) {
  return {
    aliases: otherIds(stored.vulnKey, stored.aliases),
    openedBy: { kind: stored.openedByKind, name: stored.openedByName },
    occurredAt: stored.occurredAt?.toISOString() ?? null,
    measureAvailableAt: stored.measureAvailableAt?.toISOString() ?? null,
    memberStates: stored.memberStates,
    cycle: stored.cycle,
    timeZone: stored.timeZone,
    usersInformed: stored.usersInformed,
    maintainerInformed: stored.maintainerInformed,
    closedAt: stored.closedAt?.toISOString() ?? null,
    closedBy: stored.closedBy,
    closeReason: stored.closeReason,
    untakenSince:
      stored.status === 'open' && stored.assignee === null ? stored.untakenSince.toISOString() : null,
  }
}

type Waiting = { determinations: readonly DeterminationRow[]; awareness: readonly AwarenessRow[] }

async function approvalsOf(
  db: Db,
  asking: Asking,
  { determinations, awareness }: Waiting,
): Promise<IncidentDetail['approvals']> {
  const approvers = await selectApprovers(db, asking.workspaceId)
  const of = (waiting: DeterminationRow | AwarenessRow | undefined) =>
    waiting === undefined ? null : approvalFor(asking, waiting.recordedBy.id, approvers)
  const pendingIn = (scope: DeterminationScope) =>
    determinations.find((one) => one.scope === scope && one.state === 'pending')
  return {
    cra: of(pendingIn('cra')),
    dora: of(pendingIn('dora')),
    awareness: of(awareness.find(({ state }) => state === 'pending')),
  }
}
