import type { Config, Secrets } from '../../platform/config/config.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { Stripe } from './stripe.ts'

/** The payment provider; null: the operator sets plans. */
export function stripeOf(
  { stripe }: Pick<Config, 'stripe'>,
  { stripeKeys }: Pick<Secrets, 'stripeKeys'>,
  outbound: Pick<Outbound, 'ask'>,
): Stripe | null {
  return stripe === null || stripeKeys === null ? null : new Stripe(outbound, stripe, stripeKeys)
}
