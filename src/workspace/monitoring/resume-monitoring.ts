import type { Tx } from '../../database/connection.ts'
import { enqueueOpenings } from './enqueue-openings.ts'
import { enqueueRefreshesInside } from './enqueue-refresh.ts'
import { isMonitored, type PlanAndDates } from '../state.ts'

/**
 * Since when nothing has been matched and opened: what was noted when it was closed or put on Free, or the end of its trial or
 * subscription, whichever came first. `now` for one that is monitored.
 */
export function pausedSince(workspace: PlanAndDates & { paused_from: Date | null }, now: Date): Date {
  if (isMonitored(workspace, now)) return now
  const { plan, trial_ends_at, paid_until, closed_at, suspended_at, moving_at, paused_from } = workspace
  const ends = [
    paused_from,
    closed_at,
    suspended_at,
    moving_at,
    plan === 'trial' ? trial_ends_at : paid_until,
  ]
  const past = ends.filter((at) => at !== null).filter((at) => at <= now)
  return past.reduce((first, at) => (at < first ? at : first), now)
}

type Resumed = { workspaceId: string; pausedFrom: Date; now: Date }

/**
 * While a workspace is read-only or closed its findings stay as they are and nothing opens. When that ends, every family is recalculated, and
 * incidents that open then have the pause in their timeline.
 */
export async function resumeMonitoring(tx: Tx, { workspaceId, ...resumed }: Resumed): Promise<void> {
  const families = await tx
    .selectFrom('family')
    .select(['workspace_id as workspaceId', 'id as familyId'])
    .where('workspace_id', '=', workspaceId)
    .where('archived_at', 'is', null)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  await enqueueRefreshesInside(tx, families, resumed)
  await enqueueOpenings(tx, families, resumed)
}
