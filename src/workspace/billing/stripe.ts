import { isStorable } from '../../contract/calendar.ts'
import {
  paidPlans,
  subscriptionStatuses,
  type PaidPlan,
  type SubscriptionStatus,
} from '../../contract/workspace/plans.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import type { StripeKeys, StripeConfig } from '../../platform/outbound/stripe-config.ts'

/** A subscription as the provider has it now. */
export type FetchedSubscription = {
  id: string
  customerId: string
  /** Named when it was bought; null: it is none of ours. */
  workspaceId: string | null
  status: SubscriptionStatus
  /** null: none of its prices is one of ours. */
  plan: PaidPlan | null
  periodEndsAt: Date | null
  /** When it ends, or has ended; null: it renews itself. */
  endsAt: Date | null
}

type Checkout = {
  plan: PaidPlan
  workspaceId: string
  email: string
  customerId: string | null
  pageUrl: string
}

/** The version of the provider's interface that this speaks, whatever the account's own is. */
const apiVersion = '2025-03-31.basil'

/** The provider's interface (https://docs.stripe.com/api), through the guarded connections outward. */
export class Stripe {
  readonly webhookSecret: string
  readonly prices: StripeConfig['prices']
  readonly #outbound: Pick<Outbound, 'ask'>
  readonly #apiUrl: string
  readonly #secretKey: string

  constructor(outbound: Pick<Outbound, 'ask'>, config: StripeConfig, keys: StripeKeys) {
    this.#outbound = outbound
    this.#apiUrl = config.apiUrl
    this.prices = config.prices
    this.#secretKey = keys.secretKey
    this.webhookSecret = keys.webhookSecret
  }

  /** The address of a page on which the plan is paid for. */
  async openCheckout({ plan, workspaceId, email, customerId, pageUrl }: Checkout): Promise<string> {
    const session = await this.#ask('POST', '/v1/checkout/sessions', {
      mode: 'subscription',
      'line_items[0][price]': this.prices[plan] ?? '',
      'line_items[0][quantity]': '1',
      client_reference_id: workspaceId,
      'subscription_data[metadata][workspace]': workspaceId,
      ...(customerId === null ? { customer_email: email } : { customer: customerId }),
      success_url: `${pageUrl}?from=checkout`,
      cancel_url: pageUrl,
    })
    return readText(session, 'url')
  }

  /** The address of the page on which a customer changes or ends a subscription. */
  async openPortal(customerId: string, pageUrl: string): Promise<string> {
    const session = await this.#ask('POST', '/v1/billing_portal/sessions', {
      customer: customerId,
      return_url: pageUrl,
    })
    return readText(session, 'url')
  }

  async fetchSubscription(id: string): Promise<FetchedSubscription> {
    return this.#read(await this.#ask('GET', subscriptionPath(id)))
  }

  /** It ends with the period that is paid for. */
  async endSubscription(id: string): Promise<void> {
    await this.#ask('POST', subscriptionPath(id), { cancel_at_period_end: 'true' })
  }

  #read(found: Fields): FetchedSubscription {
    const items = fieldsOf(found['items'])['data']
    const item = fieldsOf(Array.isArray(items) ? items[0] : undefined)
    const priceId = fieldsOf(item['price'])['id']
    const status = subscriptionStatuses.find((known) => known === found['status'])
    if (status === undefined)
      throw new StripeError(`a subscription with the status ${String(found['status'])}`)
    const periodEndsAt = readTime(item['current_period_end']) ?? readTime(found['current_period_end'])
    const cancelledAt = readTime(found['cancel_at'])
    return {
      id: readText(found, 'id'),
      customerId: readText(found, 'customer'),
      workspaceId: readOptional(fieldsOf(found['metadata'])['workspace']),
      status,
      plan:
        paidPlans.find((plan) => this.prices[plan] !== undefined && this.prices[plan] === priceId) ?? null,
      periodEndsAt,
      endsAt:
        readTime(found['ended_at']) ??
        cancelledAt ??
        (found['cancel_at_period_end'] === true ? periodEndsAt : null),
    }
  }

  async #ask(method: 'GET' | 'POST', path: string, form?: Record<string, string>): Promise<Fields> {
    const answer = await this.#outbound.ask({
      url: `${this.#apiUrl}${path}`,
      purpose: 'billing',
      method,
      headers: {
        authorization: `Bearer ${this.#secretKey}`,
        'stripe-version': apiVersion,
        ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(form === undefined ? {} : { body: Buffer.from(new URLSearchParams(form).toString()) }),
    })
    const read = fieldsOf(parse(answer.body))
    if (answer.status === 200) return read
    throw new StripeError(`${answer.status} ${readOptional(fieldsOf(read['error'])['message']) ?? ''}`.trim())
  }
}

/** The provider answered something else than was expected. */
export class StripeError extends Error {
  constructor(answered: string) {
    super(`Stripe answered ${answered}`)
    this.name = 'StripeError'
  }
}

type Fields = Readonly<Record<string, unknown>>

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

/** Ids of the provider are letters, digits and underscores. */
function subscriptionPath(id: string): string {
  return `/v1/subscriptions/${encodeURIComponent(id)}`
}

function readText(fields: Fields, name: string): string {
  const value = fields[name]
  if (typeof value !== 'string' || value === '') throw new StripeError(`an object without ${name}`)
  return value
}

function readOptional(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** Unix seconds. */
function readTime(value: unknown): Date | null {
  const at = typeof value === 'number' ? new Date(value * 1000) : null
  return at !== null && isStorable(at) ? at : null
}
