import type { Billing } from '../../contract/workspace/billing-operations.ts'
import { ServiceError } from '../../contract/errors.ts'
import { paidPlans, runningStatuses, type PaidPlan } from '../../contract/workspace/plans.ts'
import type { Db } from '../../database/connection.ts'
import { OutboundError } from '../../platform/outbound/outbound-error.ts'
import type { WorkspaceRow } from '../workspaces.ts'
import { StripeError, type Stripe } from './stripe.ts'

type Billed = { db: Db; stripe: Stripe | null; workspace: WorkspaceRow }

/** What the billing page shows. */
export async function describeBilling({ db, stripe, workspace }: Billed): Promise<Billing> {
  const subscription = await selectSubscription(db, workspace.id)
  return {
    isSelfService: stripe !== null,
    onSale: paidPlans.filter((plan) => stripe?.prices[plan] !== undefined),
    subscription:
      subscription === undefined
        ? null
        : {
            status: subscription.status,
            periodEndsAt: subscription.period_ends_at?.toISOString() ?? null,
          },
  }
}

type Buying = Billed & { plan: PaidPlan; email: string; pageUrl: string }

/** Codes: `not_configured`, `invalid_request`, `conflict` (it has a subscription, which is changed in the portal). */
export async function openCheckout({ db, stripe, workspace, plan, email, pageUrl }: Buying): Promise<string> {
  const provider = configured(stripe)
  if (provider.prices[plan] === undefined)
    throw new ServiceError('invalid_request', { fields: { plan: 'This plan cannot be bought here.' } })
  const subscription = await selectSubscription(db, workspace.id)
  if (subscription !== undefined && runningStatuses.includes(subscription.status)) {
    throw new ServiceError('conflict', {
      message: 'The workspace has a subscription. Change it under "Manage the subscription".',
    })
  }
  const customerId = subscription?.customer_id ?? null
  return asking(() => provider.openCheckout({ plan, workspaceId: workspace.id, email, customerId, pageUrl }))
}

/** Codes: `not_configured`, `conflict`. */
export async function openPortal({
  db,
  stripe,
  workspace,
  pageUrl,
}: Billed & { pageUrl: string }): Promise<string> {
  const provider = configured(stripe)
  const subscription = await selectSubscription(db, workspace.id)
  if (subscription === undefined)
    throw new ServiceError('conflict', { message: 'The workspace has never had a subscription.' })
  return asking(() => provider.openPortal(subscription.customer_id, pageUrl))
}

function configured(stripe: Stripe | null): Stripe {
  if (stripe !== null) return stripe
  throw new ServiceError('not_configured', { message: 'The operator of this installation sets plans.' })
}

/** The person is told that the provider cannot be reached; its answer is for the operator. */
async function asking(question: () => Promise<string>): Promise<string> {
  try {
    return await question()
  } catch (error) {
    if (!(error instanceof OutboundError || error instanceof StripeError)) throw error
    throw new ServiceError('not_configured', {
      message: 'The payment provider could not be reached. Try again in a few minutes.',
      detail: error.message,
    })
  }
}

async function selectSubscription(db: Db, workspaceId: string) {
  return db
    .selectFrom('billing_subscription')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
}
