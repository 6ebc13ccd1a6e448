import { sql } from 'kysely'
import { runningStatuses } from '../../contract/workspace/plans.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { enqueueAll } from '../../queue/enqueue.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import { isId } from '../../platform/random.ts'
import type { Actor } from '../../audit/record-acts.ts'
import { lockWorkspace, setPlanInside, type WorkspaceRow } from '../workspaces.ts'
import { StripeError, type FetchedSubscription, type Stripe } from './stripe.ts'

const provider: Actor = { kind: 'system', id: null, name: 'Stripe' }

/**
 * Asks the provider for the state of a subscription and puts the workspace on the plan that follows (job `fetch_subscription`). Of two at
 * once the later question counts. A subscription that is none of ours changes nothing.
 */
export async function fetchSubscription(
  db: Db,
  { stripe, subscriptionId, now }: { stripe: Stripe; subscriptionId: string; now: Date },
): Promise<void> {
  const found = await stripe.fetchSubscription(subscriptionId)
  const { workspaceId } = found
  if (workspaceId === null || !isId(workspaceId)) return
  await transact(db, async (tx) => {
    const known = await tx
      .selectFrom('workspace')
      .select('id')
      .where('id', '=', workspaceId)
      .executeTakeFirst()
    if (known === undefined) return
    const workspace = await lockWorkspace(tx, workspaceId)
    if (await keep(tx, workspaceId, found, now)) await applyPlan(tx, workspace, found, now)
  })
}

/** False where something newer is known. */
async function keep(tx: Tx, workspaceId: string, found: FetchedSubscription, now: Date): Promise<boolean> {
  const stored = await tx
    .selectFrom('billing_subscription')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  const isOther = stored !== undefined && stored.subscription_id !== found.id
  if (isOther && runningStatuses.includes(stored.status) && !isRunning(found)) return false
  if (stored !== undefined && !isOther && stored.fetched_at > now) return false
  const row = {
    customer_id: found.customerId,
    subscription_id: found.id,
    status: found.status,
    period_ends_at: found.periodEndsAt,
    fetched_at: now,
  }
  await tx
    .insertInto('billing_subscription')
    .values({ workspace_id: workspaceId, ...row })
    .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(row))
    .execute()
  return true
}

function isRunning({ status }: FetchedSubscription): boolean {
  return runningStatuses.includes(status)
}

async function applyPlan(
  tx: Tx,
  workspace: WorkspaceRow,
  found: FetchedSubscription,
  now: Date,
): Promise<void> {
  const change = { workspaceId: workspace.id, actor: provider, now }
  if (isRunning(found)) {
    const { plan, endsAt } = found
    if (plan === null)
      throw new StripeError(`a subscription ${found.id} with a price that no STRIPE_PRICE names`)
    if (workspace.plan !== plan || !isSameTime(workspace.paid_until, endsAt))
      await setPlanInside(tx, { ...change, plan, until: endsAt })
    return
  }
  // one that was never paid for changes nothing; one that has ended leaves the plan with its end
  const isOver = ['canceled', 'unpaid', 'paused'].includes(found.status)
  if (!isOver || workspace.plan === 'trial' || workspace.plan === 'free') return
  const endedAt = found.endsAt !== null && found.endsAt < now ? found.endsAt : now
  if (workspace.paid_until === null || workspace.paid_until > endedAt)
    await setPlanInside(tx, { ...change, plan: workspace.plan, until: endedAt })
}

function isSameTime(one: Date | null, other: Date | null): boolean {
  return one?.getTime() === other?.getTime()
}

/** Scheduled: asks again where a period has ended and no event has told what came of it. */
export async function askAfterPeriods(db: Db, now: Date): Promise<void> {
  const { rows } = await sql<{ subscriptionId: string }>`
    select subscription_id as "subscriptionId" from billing_subscription
    where status in ('trialing', 'active', 'past_due') and period_ends_at < ${now}::timestamptz
      and fetched_at < ${now}::timestamptz - interval '1 hour'
    order by subscription_id limit 1000`.execute(db)
  await transact(db, (tx) =>
    enqueueAll(
      tx,
      rows.map((payload) => ({
        kind: 'fetch_subscription',
        key: payload.subscriptionId,
        payload,
        runAt: now,
      })),
    ),
  )
}
