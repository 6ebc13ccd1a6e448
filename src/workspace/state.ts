import { sql, type RawBuilder } from 'kysely'
import { ServiceError } from '../contract/errors.ts'
import { stateCapabilities, type Plan, type WorkspaceState } from '../contract/workspace/plans.ts'

export type PlanAndDates = {
  plan: Plan
  trial_ends_at: Date | null
  paid_until: Date | null
  closed_at: Date | null
  suspended_at: Date | null
  moving_at: Date | null
  moved_to: string | null
}

/** What `PlanAndDates` is made of, and the same of a row `w` beside others. */
export const stateColumns = [
  'plan',
  'trial_ends_at',
  'paid_until',
  'closed_at',
  'suspended_at',
  'moving_at',
  'moved_to',
] as const
export const stateColumnsOfW = [
  'w.plan',
  'w.trial_ends_at',
  'w.paid_until',
  'w.closed_at',
  'w.suspended_at',
  'w.moving_at',
  'w.moved_to',
] as const

/** The same columns of a row of `workspace` in a statement that is written out. */
export function planAndDates(workspace: string): RawBuilder<unknown> {
  return sql.join(stateColumns.map((column) => sql.ref(`${workspace}.${column}`)))
}

/** The state a workspace is in at `now`; derived at each request, never stored. */
export function effectiveState(workspace: PlanAndDates, now: Date): WorkspaceState {
  if (workspace.closed_at !== null && workspace.closed_at <= now) return 'closed'
  if (workspace.moved_to !== null) return 'moved'
  if (workspace.moving_at !== null) return 'moving'
  if (workspace.suspended_at !== null) return 'suspended'
  if (workspace.plan === 'free') return 'free'
  const endsAt = workspace.plan === 'trial' ? workspace.trial_ends_at : workspace.paid_until
  return endsAt !== null && endsAt <= now ? 'free' : workspace.plan
}

/** Whether findings are worked out and incidents opened. */
export function isMonitored(workspace: PlanAndDates, now: Date): boolean {
  return stateCapabilities[effectiveState(workspace, now)].monitoring
}

/** The same of a row of `workspace` in a statement; `test/plans` compares the two. */
export function monitored(workspace: string, now: Date): RawBuilder<boolean> {
  const w = sql.ref(workspace)
  return sql<boolean>`((${w}.closed_at is null or ${w}.closed_at > ${now}::timestamptz)
    and ${w}.suspended_at is null and ${w}.moving_at is null and case ${w}.plan
    when 'free' then false
    when 'trial' then coalesce(${w}.trial_ends_at > ${now}::timestamptz, true)
    else coalesce(${w}.paid_until > ${now}::timestamptz, true) end)`
}

/**
 * Whether a workspace lives here, of its row in a statement: while one is moving, what is due is told of by the installation that takes it in.
 */
export function staysHere(workspace: string): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(workspace)}.moving_at is null)`
}

/** Refuses writing in a read-only (`free`) or closed workspace: `billing_lapsed`, the message says which. */
export function refuseWhenReadOnly(state: WorkspaceState): void {
  if (state === 'closed') {
    throw new ServiceError('billing_lapsed', {
      message: 'The workspace is closed. An owner can reopen it.',
    })
  }
  if (state === 'moving') {
    throw new ServiceError('billing_lapsed', {
      message:
        'The workspace is read-only because it is being moved to another installation. Try again when the operator of this service has finished.',
    })
  }
  if (state === 'moved') {
    throw new ServiceError('billing_lapsed', {
      message: 'The workspace has moved to another installation. What is here is a copy that nobody changes.',
    })
  }
  if (state === 'suspended') {
    throw new ServiceError('billing_lapsed', {
      message:
        'The workspace is read-only because the operator of this service has suspended it. Only the operator can lift that.',
    })
  }
  if (state === 'free') {
    throw new ServiceError('billing_lapsed', {
      message:
        'The workspace is read-only because its trial or subscription has ended. Settings → Billing says who can change that.',
    })
  }
}
