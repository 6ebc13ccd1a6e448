import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { portOf } from './port-of.ts'

export const stripeKeys = { secretKey: 'sk_test_stand_in', webhookSecret: 'whsec_stand_in' }
export const stripePrices = { starter: 'price_starter', core: 'price_core', plus: 'price_plus' }

export type StoredSubscription = {
  id: string
  customer: string
  status: string
  price: string
  workspace: string
  /** Unix seconds. */
  periodEnd: number
  cancelAt: number | null
  endedAt: number | null
}

type Asked = { method: string; path: string; form: Record<string, string>; authorization: string }

/** The payment provider's signature header for a body. */
export function signatureOf(body: string, at: Date, secret = stripeKeys.webhookSecret): string {
  const time = Math.floor(at.getTime() / 1000)
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')},v0=ignored`
}

/**
 * The payment provider on loopback, as far as the service uses it: a checkout page with one button, a portal page with a button that ends
 * the subscription, and subscriptions. Paying and ending send the service a signed event, if `eventsTo` is set.
 */
export class StripeStandIn {
  readonly subscriptions = new Map<string, StoredSubscription>()
  readonly asked: Asked[] = []
  /** Replaces the next answer, once. */
  nextAnswer: { status: number; body: unknown } | null = null
  eventsTo: string | null = null
  now: () => Date = () => new Date()
  #server: Server | null = null
  #sessions: Record<string, string>[] = []
  #count = 0

  get url(): string {
    return `http://127.0.0.1:${portOf(this.#server)}`
  }

  async start(): Promise<void> {
    const server = createServer((request, response) => {
      void this.#answer(request, response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    this.#server = server
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections()
    await new Promise((resolve) => this.#server?.close(resolve))
  }

  /** Adds a subscription as if it had been bought. */
  add(workspace: string, more: Partial<StoredSubscription> = {}): StoredSubscription {
    const number = (this.#count += 1)
    const made = {
      id: `sub_${number}`,
      customer: `cus_${workspace.slice(0, 8)}`,
      status: 'active',
      price: stripePrices.core,
      workspace,
      cancelAt: null,
      endedAt: null,
      periodEnd: Math.floor(this.now().getTime() / 1000) + 30 * 24 * 3600,
      ...more,
    }
    this.subscriptions.set(made.id, made)
    return made
  }

  /** The body of an event as the provider writes it. */
  event(type: string, subscription: StoredSubscription, id = `evt_${(this.#count += 1)}`): string {
    const object =
      type === 'checkout.session.completed'
        ? {
            object: 'checkout.session',
            id: 'cs_1',
            subscription: subscription.id,
            customer: subscription.customer,
          }
        : objectOf(subscription)
    const created = Math.floor(this.now().getTime() / 1000)
    return JSON.stringify({ id, object: 'event', type, created, livemode: false, data: { object } })
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = request
    const { pathname, searchParams } = new URL(url, this.url)
    const form = Object.fromEntries(new URLSearchParams(await text(request)))
    this.asked.push({ method, path: pathname, form, authorization: request.headers.authorization ?? '' })
    const forced = this.nextAnswer
    this.nextAnswer = null
    if (forced !== null) {
      sendJson(response, forced.status, forced.body)
      return
    }
    const known = this.subscriptions.get(pathname.split('/')[3] ?? '')
    if (pathname === '/v1/checkout/sessions') {
      const id = this.#sessions.push(form) - 1
      sendJson(response, 200, { id: `cs_${id}`, url: `${this.url}/pay/${id}` })
      return
    }
    if (pathname === '/v1/billing_portal/sessions') {
      const query = new URLSearchParams({ customer: form['customer'] ?? '', back: form['return_url'] ?? '' })
      sendJson(response, 200, { id: 'bps_1', url: `${this.url}/portal?${query.toString()}` })
      return
    }
    if (pathname.startsWith('/v1/subscriptions/') && known !== undefined) {
      if (method === 'POST' && form['cancel_at_period_end'] === 'true') known.cancelAt = known.periodEnd
      sendJson(response, 200, objectOf(known))
      return
    }
    if (pathname.startsWith('/pay/')) return this.#pay(Number(pathname.split('/')[2]), method, response)
    if (pathname === '/portal') return this.#portal(searchParams, method, response)
    sendJson(response, 404, { error: { message: 'No such object' } })
  }

  async #pay(session: number, method: string, response: ServerResponse): Promise<void> {
    const form = this.#sessions[session] ?? {}
    if (method === 'GET') {
      sendPage(response, 'Checkout', 'Pay')
      return
    }
    const bought = this.add(form['client_reference_id'] ?? '', { price: form['line_items[0][price]'] ?? '' })
    await this.#tell('checkout.session.completed', bought)
    response.writeHead(303, { location: form['success_url'] ?? '' }).end()
  }

  async #portal(query: URLSearchParams, method: string, response: ServerResponse): Promise<void> {
    if (method === 'GET') {
      sendPage(response, 'Portal', 'End the subscription')
      return
    }
    for (const one of this.subscriptions.values()) {
      if (one.customer !== query.get('customer')) continue
      one.cancelAt = one.periodEnd
      await this.#tell('customer.subscription.updated', one)
    }
    response.writeHead(303, { location: query.get('back') ?? '' }).end()
  }

  async #tell(type: string, subscription: StoredSubscription): Promise<void> {
    if (this.eventsTo === null) return
    const body = this.event(type, subscription)
    const headers = { 'content-type': 'application/json', 'stripe-signature': signatureOf(body, this.now()) }
    const answer = await fetch(this.eventsTo, { method: 'POST', headers, body })
    if (!answer.ok) throw new Error(`the event was answered ${answer.status}`)
  }
}

/** The fields of https://docs.stripe.com/api/subscriptions/object that are read. */
function objectOf({
  id,
  customer,
  status,
  price,
  workspace,
  periodEnd,
  cancelAt,
  endedAt,
}: StoredSubscription) {
  return {
    id,
    object: 'subscription',
    customer,
    status,
    metadata: { workspace },
    cancel_at: cancelAt,
    cancel_at_period_end: false,
    ended_at: endedAt,
    items: { object: 'list', data: [{ id: 'si_1', price: { id: price }, current_period_end: periodEnd }] },
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function sendPage(response: ServerResponse, title: string, verb: string): void {
  const page = `<!doctype html><title>${title}</title><h1>${title}</h1><form method="post"><button>${verb}</button></form>`
  response.writeHead(200, { 'content-type': 'text/html' }).end(page)
}
