import { Type, type Static } from 'typebox'
import { paidPlans, subscriptionStatuses } from './plans.ts'
import { answer, operation } from '../operation.ts'
import { time, nullable } from '../schema.ts'

/** `isSelfService`: owners buy and change plans themselves; else the operator sets them. */
const Billing = Type.Object({
  isSelfService: Type.Boolean(),
  onSale: Type.Array(Type.Enum(paidPlans)),
  /** The one that the workspace has, or had last. */
  subscription: nullable(
    Type.Object({ status: Type.Enum(subscriptionStatuses), periodEndsAt: nullable(time) }),
  ),
})
export type Billing = Static<typeof Billing>

const billing = '/workspaces/:slug/billing'

export const getBilling = operation({
  method: 'GET',
  path: billing,
  permission: 'manage_billing',
  answer: answer(Billing),
})

/** The address at the payment provider where the plan is bought. 409 `conflict`: there is a subscription; 503 `not_configured`. */
export const openCheckout = operation({
  method: 'POST',
  path: `${billing}/checkout`,
  permission: 'manage_billing',
  body: Type.Object({ plan: Type.Enum(paidPlans) }),
  worksReadOnly: 'until_closed',
  answer: answer(Type.Object({ url: Type.String() })),
})

/** The address at the payment provider where the subscription is changed or ended. 409 `conflict`, 503 `not_configured`. */
export const openPortal = operation({
  method: 'POST',
  path: `${billing}/portal`,
  permission: 'manage_billing',
  worksReadOnly: 'until_closed',
  answer: answer(Type.Object({ url: Type.String() })),
})
