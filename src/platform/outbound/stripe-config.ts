import { paidPlans, type PaidPlan } from '../../contract/workspace/plans.ts'
import type { Environment } from '../config/environment.ts'

/** The payment provider and what it calls the plans. Safe to log. */
export type StripeConfig = Readonly<{
  /** Without trailing slash. */
  apiUrl: string
  /** Ids of prices; plans without one cannot be bought here. */
  prices: Readonly<Partial<Record<PaidPlan, string>>>
}>

export type StripeKeys = Readonly<{ secretKey: string; webhookSecret: string }>

const off = { place: null, keys: null }

/** Reads STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_PRICE_<PLAN> and STRIPE_API_URL; null without. Never repeats a secret. */
export function readStripe(
  env: Environment,
  mistakes: string[],
): { place: StripeConfig | null; keys: StripeKeys | null } {
  const text = (name: string) => (env[name] ?? '').trim()
  const secretKey = text('STRIPE_SECRET_KEY')
  const webhookSecret = text('STRIPE_WEBHOOK_SECRET')
  const prices = paidPlans
    .map((plan) => [plan, text(`STRIPE_PRICE_${plan.toUpperCase()}`)] as const)
    .filter(([, price]) => price !== '')
  const given = [secretKey, webhookSecret, ...prices.map(([, price]) => price)].filter((one) => one !== '')
  if (given.length === 0) return off
  if (secretKey === '' || webhookSecret === '' || prices.length === 0) {
    mistakes.push(
      'STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_PRICE_STARTER, STRIPE_PRICE_CORE, STRIPE_PRICE_PLUS: expected both secrets and ' +
        'at least one price, or none of them',
    )
    return off
  }
  if (new Set(prices.map(([, price]) => price)).size < prices.length) {
    mistakes.push(
      'STRIPE_PRICE_STARTER, STRIPE_PRICE_CORE, STRIPE_PRICE_PLUS: expected another price for each plan',
    )
    return off
  }
  const apiUrl = text('STRIPE_API_URL') === '' ? 'https://api.stripe.com' : text('STRIPE_API_URL')
  if (!URL.canParse(apiUrl) || !/^https?:/.test(apiUrl)) {
    mistakes.push(`STRIPE_API_URL: expected an http or https address, found "${apiUrl}"`)
    return off
  }
  return {
    place: { apiUrl: apiUrl.replace(/\/+$/, ''), prices: Object.fromEntries(prices) },
    keys: { secretKey, webhookSecret },
  }
}
