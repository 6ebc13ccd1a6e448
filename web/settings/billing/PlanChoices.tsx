import { Button, Stack, Text } from '@mantine/core'
import { IconCircleCheckFilled, IconExternalLink } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { openCheckout, openPortal, type Billing } from '#contract/workspace/billing-operations.ts'
import type { PaidPlan } from '#contract/workspace/plans.ts'
import { call } from '../../kit/api/call.ts'
import { leaveFor } from '../../kit/api/leave-for.ts'
import { useSend } from '../../kit/api/use-send.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { Card, Cards } from '../../kit/page/Card.tsx'
import { Problem } from '../../kit/page/Problem.tsx'
import { Chip } from '../../kit/text/Chip.tsx'
import { planWords, stateNames } from './plan-words.ts'

/** The plans for sale, each with its button; an operator may have set one of them. */
export function PlanChoices({ billing }: { billing: Billing }): ReactNode {
  return (
    <section aria-label="Subscribe" style={{ marginTop: 24 }}>
      <Cards>
        {billing.onSale.map((plan) => (
          <PlanChoice key={plan} plan={plan} />
        ))}
      </Cards>
    </section>
  )
}

function PlanChoice({ plan }: { plan: PaidPlan }): ReactNode {
  const { slug, state } = useWorkspace()
  const buying = useSend({
    final: true,
    send: () => call(openCheckout, { params: { slug }, body: { plan } }),
    onSuccess: ({ url }) => {
      leaveFor(url)
    },
  })
  return (
    <Card title={stateNames[plan]} aside={plan === state ? <InForce /> : null}>
      <Stack gap="sm" align="flex-start">
        <Text>{planWords[plan]}</Text>
        <Problem error={buying.error} />
        <Button
          loading={buying.isPending}
          onClick={() => {
            buying.mutate()
          }}
        >
          {`Subscribe to ${stateNames[plan]}`}
        </Button>
      </Stack>
    </Card>
  )
}

function InForce(): ReactNode {
  return (
    <Chip tone="good" Icon={IconCircleCheckFilled}>
      In force
    </Chip>
  )
}

/** Links to the payment provider's page, where a subscription is changed, paid and cancelled. */
export function ManageSubscription(): ReactNode {
  const { slug } = useWorkspace()
  const opening = useSend({
    final: true,
    send: () => call(openPortal, { params: { slug } }),
    onSuccess: ({ url }) => {
      leaveFor(url)
    },
  })
  return (
    <Stack gap="xs" align="flex-end">
      <Button
        variant="default"
        rightSection={<IconExternalLink size={15} aria-hidden />}
        loading={opening.isPending}
        onClick={() => {
          opening.mutate()
        }}
      >
        Manage the subscription
      </Button>
      <Problem error={opening.error} />
    </Stack>
  )
}
