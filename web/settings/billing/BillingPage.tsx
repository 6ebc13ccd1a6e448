import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { IconLoader2 } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Billing } from '#contract/workspace/billing-operations.ts'
import { runningStatuses } from '#contract/workspace/plans.ts'
import { isAllowed } from '#contract/roles.ts'
import { billingQuery } from '../queries.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { Card } from '../../kit/page/Card.tsx'
import { FactList, type Fact } from '../../kit/page/Facts.tsx'
import { Notice } from '../../kit/page/Notice.tsx'
import { useNow } from '../../kit/time/clock.ts'
import { ZonedTime } from '../../kit/time/Time.tsx'
import { ManageSubscription, PlanChoices } from './PlanChoices.tsx'
import { stateNames, statusWords } from './plan-words.ts'
import { Loaded } from '../../kit/page/Loaded.tsx'
import { SettingsPage } from '../SettingsPage.tsx'

/** The plan of the workspace, and who changes it. */
export default function BillingPage(): ReactNode {
  const { role } = useWorkspace()
  return (
    <SettingsPage
      title="Billing"
      about="The plan of this workspace and when it ends. Nothing is deleted when a plan ends: the workspace becomes read-only."
    >
      {isAllowed(role, 'manage_billing') ? <OwnersPart /> : <PlanCard />}
    </SettingsPage>
  )
}

function OwnersPart(): ReactNode {
  const { slug } = useWorkspace()
  const { from } = useSearch({ from: '/signed-in/$slug/settings/billing' })
  const isPaying = from === 'checkout'
  const billing = useQuery(billingQuery(slug, { isPaying }))
  return <Loaded query={billing}>{(read) => <PlanParts billing={read} isPaying={isPaying} />}</Loaded>
}

/** `isPaying`: the person has just returned from checkout. */
function PlanParts({ billing, isPaying }: { billing: Billing; isPaying: boolean }): ReactNode {
  const { state } = useWorkspace()
  const isRunning = isSubscribed(billing)
  return (
    <>
      {isPaying && !isRunning ? (
        <Notice Icon={IconLoader2}>
          The payment is on its way here. The plan is in force as soon as it arrives, usually within a minute.
        </Notice>
      ) : null}
      <PlanCard billing={billing} />
      {billing.isSelfService && !isRunning && state !== 'closed' ? <PlanChoices billing={billing} /> : null}
    </>
  )
}

function isSubscribed({ subscription }: Billing): boolean {
  return subscription !== null && runningStatuses.includes(subscription.status)
}

/** `billing`: for owners, who see the subscription. */
function PlanCard({ billing }: { billing?: Billing }): ReactNode {
  const { plan, state, trialEndsAt, paidUntil } = useWorkspace()
  const subscription = billing?.subscription ?? null
  const nowMs = useNow(60_000)
  const endsAt = plan === 'trial' ? trialEndsAt : paidUntil
  const facts: Fact[] = [
    { name: 'Plan', value: stateNames[state] },
    ...(endsAt === null
      ? []
      : [{ name: Date.parse(endsAt) <= nowMs ? 'Ended' : 'Ends', value: <ZonedTime at={endsAt} /> }]),
    ...(billing === undefined || subscription === null
      ? []
      : [{ name: 'Subscription', value: statusWords[subscription.status] }, ...renewal(billing, paidUntil)]),
  ]
  return (
    <Card title="Plan" aside={subscription === null ? null : <ManageSubscription />}>
      <FactList facts={facts} />
      <WhoChanges />
    </Card>
  )
}

/** Owners see the actions where plans are sold. */
function WhoChanges(): ReactNode {
  const { role, isSelfService } = useWorkspace()
  if (isSelfService && isAllowed(role, 'manage_billing')) return null
  return (
    <Text c="dimmed" mt="sm">
      {isSelfService
        ? `Your role is ${role}. An owner can change the plan on this page.`
        : 'The operator of this service sets the plan. Ask them for another one.'}
    </Text>
  )
}

/** A subscription without an end renews automatically. */
function renewal(billing: Billing, paidUntil: string | null): Fact[] {
  const at = billing.subscription?.periodEndsAt ?? null
  return isSubscribed(billing) && paidUntil === null && at !== null
    ? [{ name: 'Renews', value: <ZonedTime at={at} /> }]
    : []
}
