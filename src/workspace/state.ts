import { ServiceError } from '../contract/errors.ts'
import type { Plan, WorkspaceState } from '../contract/plans.ts'

export type PlanAndDates = {
  plan: Plan
  trial_ends_at: Date | null
  paid_until: Date | null
  closed_at: Date | null
}

/** The state a workspace is in at `now`; derived at each request, never stored. */
export function effectiveState(workspace: PlanAndDates, now: Date): WorkspaceState {
  if (workspace.closed_at !== null && workspace.closed_at <= now) return 'closed'
  if (workspace.plan === 'free') return 'free'
  const endsAt = workspace.plan === 'trial' ? workspace.trial_ends_at : workspace.paid_until
  return endsAt !== null && endsAt <= now ? 'free' : workspace.plan
}

/** Refuses writing in a read-only (`free`) or closed workspace: `billing_lapsed`, the message says which. */
export function refuseWhenReadOnly(state: WorkspaceState): void {
  if (state === 'closed') {
    throw new ServiceError('billing_lapsed', {
      message: 'The workspace is closed. An owner can reopen it.',
    })
  }
  if (state === 'free') {
    throw new ServiceError('billing_lapsed', {
      message:
        'The workspace is read-only because its trial or subscription has ended. An owner can subscribe to resume.',
    })
  }
}
