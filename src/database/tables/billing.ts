import type { SubscriptionStatus } from '../../contract/workspace/plans.ts'

/** What the payment provider says. */
export type BillingTables = {
  billing_subscription: {
    workspace_id: string
    customer_id: string
    subscription_id: string
    status: SubscriptionStatus
    period_ends_at: Date | null
    fetched_at: Date
  }
  billing_event: { id: string; type: string; received_at: Date }
}
