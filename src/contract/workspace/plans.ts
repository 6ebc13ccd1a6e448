/** Plans as stored. What a workspace may do follows from the effective state, which dates can change. */
export const plans = ['trial', 'starter', 'core', 'plus', 'free'] as const
export type Plan = (typeof plans)[number]

/**
 * `free` is read-only: a trial or subscription that ended leads there by itself. `suspended`: by the operator, with the effects of `free`.
 * `moving`: frozen while the operator moves it to another installation; `moved`: it is there, and what is here is a copy.
 */
export const workspaceStates = [
  'trial',
  'starter',
  'core',
  'plus',
  'free',
  'closed',
  'suspended',
  'moving',
  'moved',
] as const
export type WorkspaceState = (typeof workspaceStates)[number]

type Capabilities = {
  /** Uploads and edits; false is read-only. */
  write: boolean
  /** Adding alert destinations and posting to them. */
  destinations: boolean
  /** Matching and the opening of incidents. */
  monitoring: boolean
  /** Deciding and filing on open incidents: the law does not pause with a plan. */
  reporting: boolean
  /** What works in a read-only workspace too, such as members and their settings; without it nothing at all is written. */
  upkeep: boolean
  /** Who sees the pages. */
  readers: 'members' | 'owners'
}

const everything: Capabilities = {
  write: true,
  destinations: true,
  monitoring: true,
  reporting: true,
  upkeep: true,
  readers: 'members',
}
const reading: Capabilities = {
  write: false,
  destinations: false,
  monitoring: false,
  reporting: false,
  upkeep: false,
  readers: 'members',
}

/** The one table that decides what a state allows. */
export const stateCapabilities: Record<WorkspaceState, Capabilities> = {
  trial: everything,
  starter: {
    write: true,
    destinations: false,
    monitoring: true,
    reporting: true,
    upkeep: true,
    readers: 'members',
  },
  core: everything,
  plus: everything,
  free: {
    write: false,
    destinations: false,
    monitoring: false,
    reporting: true,
    upkeep: true,
    readers: 'members',
  },
  closed: {
    write: false,
    destinations: false,
    monitoring: false,
    reporting: false,
    upkeep: true,
    readers: 'owners',
  },
  suspended: {
    write: false,
    destinations: false,
    monitoring: false,
    reporting: true,
    upkeep: true,
    readers: 'members',
  },
  moving: reading,
  moved: reading,
}

/** Plans that can be bought. */
export const paidPlans = ['starter', 'core', 'plus'] as const satisfies readonly Plan[]
export type PaidPlan = (typeof paidPlans)[number]

/** https://docs.stripe.com/api/subscriptions/object, `status`. */
export const subscriptionStatuses = [
  'incomplete',
  'incomplete_expired',
  'trialing',
  'active',
  'past_due',
  'canceled',
  'unpaid',
  'paused',
] as const
export type SubscriptionStatus = (typeof subscriptionStatuses)[number]

/** While the provider still tries to collect a payment that failed (`past_due`), the plan goes on. */
export const runningStatuses: readonly SubscriptionStatus[] = ['trialing', 'active', 'past_due']
