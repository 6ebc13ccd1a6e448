import type { PaidPlan, SubscriptionStatus, WorkspaceState } from '#contract/workspace/plans.ts'

export const stateNames: Record<WorkspaceState, string> = {
  trial: 'Trial',
  starter: 'Starter',
  core: 'Core',
  plus: 'Plus',
  free: 'Free (read-only)',
  closed: 'Closed',
  suspended: 'Suspended by the operator',
  moving: 'Being moved',
  moved: 'Moved elsewhere',
}

export const planWords: Record<PaidPlan, string> = {
  starter: 'Everything but alert destinations: nothing is posted to chats and webhooks.',
  core: 'Everything, with alert destinations.',
  plus: 'Everything, with alert destinations.',
}

export const statusWords: Record<SubscriptionStatus, string> = {
  incomplete: 'waiting for the first payment',
  incomplete_expired: 'never paid for',
  trialing: 'on trial at the payment provider',
  active: 'active',
  past_due: 'a payment failed and is tried again',
  canceled: 'ended',
  unpaid: 'ended because it was not paid for',
  paused: 'paused',
}
