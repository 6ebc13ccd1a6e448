import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { getWorkspace } from '../../src/contract/workspace/operations.ts'
import { addDestination, listDestinations } from '../../src/contract/alerts/operations.ts'
import { getBilling, openCheckout, openPortal } from '../../src/contract/workspace/billing-operations.ts'
import type { BodyOf } from '../../src/contract/operation.ts'
import { createOutbound } from '../../src/platform/outbound/outbound.ts'
import { fetchSubscription, askAfterPeriods } from '../../src/workspace/billing/fetch-subscription.ts'
import { isSignedByStripe } from '../../src/workspace/billing/signature.ts'
import { Stripe } from '../../src/workspace/billing/stripe.ts'
import { AppSession } from '../support/app-session.ts'
import { later, testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { call, startTestHttp, type TestHttp } from '../support/http.ts'
import { createScene, type TestWorkspace } from '../support/scene.ts'
import { signatureOf, stripeKeys, stripePrices, StripeStandIn } from '../support/stripe-stand-in.ts'
import { waitingOf } from '../support/payloads.ts'

const standIn = new StripeStandIn()
let now = testNow
standIn.now = () => now
let store: TestDatabase
let http: TestHttp
let stripe: Stripe
let acme: TestWorkspace
let owner: AppSession

beforeAll(async () => {
  await standIn.start()
  const outbound = createOutbound({
    dnsServer: null,
    dialMap: null,
    allowedOrigins: { billing: [standIn.url] },
  })
  stripe = new Stripe(outbound, { apiUrl: standIn.url, prices: stripePrices }, stripeKeys)
  store = await createTestDatabase()
  http = await startTestHttp({ database: store, now: () => now, stripe })
  ;[acme] = await createScene(store.db)
  owner = await AppSession.signIn(http.url, acme.members.owner)
})
afterAll(async () => {
  await http.stop()
  await store.drop()
  await standIn.stop()
})
beforeEach(async () => {
  now = testNow
  standIn.subscriptions.clear()
  await store.db.deleteFrom('billing_subscription').execute()
  await store.db.deleteFrom('billing_event').execute()
  await store.db.deleteFrom('job').execute()
  await store.db
    .updateTable('workspace')
    .set({ plan: 'trial', trial_ends_at: later(-60), paid_until: null, closed_at: null, paused_from: null })
    .where('id', '=', acme.id)
    .execute()
})

const send = (body: string, signature = signatureOf(body, now)) =>
  call(`${http.url}/api/billing/stripe-events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    body,
  })

/** Runs the jobs the events enqueued. Returns their number. */
async function settle(): Promise<number> {
  const jobs = await waitingOf(store.db, 'fetch_subscription')
  await store.db.deleteFrom('job').where('kind', '=', 'fetch_subscription').execute()
  for (const payload of jobs) await fetchSubscription(store.db, { ...payload, stripe, now })
  return jobs.length
}

const stored = () =>
  store.db
    .selectFrom('workspace')
    .select(['plan', 'paid_until'])
    .where('id', '=', acme.id)
    .executeTakeFirstOrThrow()

const state = async () => (await owner.call(getWorkspace)).state
const at = (seconds: number) => new Date(seconds * 1000)

describe('the signature', () => {
  const body = '{"id":"evt_1"}'
  const good = signatureOf(body, testNow)
  const judge = (header: string, more: { at?: Date; body?: string } = {}) =>
    isSignedByStripe({
      body: Buffer.from(more.body ?? body),
      header,
      secret: stripeKeys.webhookSecret,
      now: more.at ?? testNow,
    })
  it.each([
    ['is right', good, {}, true],
    ['may be the second of two', good.replace('v1=', `v1=${'0'.repeat(64)},v1=`), {}, true],
    ['is right for five minutes', good, { at: later(5) }, true],
    ['is too old', good, { at: new Date(testNow.getTime() + 301_000) }, false],
    ['is of the future', good, { at: new Date(testNow.getTime() - 301_000) }, false],
    ['is of another body', good, { body: '{"id":"evt_2"}' }, false],
    ['is of another secret', signatureOf(body, testNow, 'whsec_other'), {}, false],
    ['is of another scheme', good.replace('v1=', 'v0='), {}, false],
    ['has no time', good.replace(/^t=\d+,/, ''), {}, false],
    ['has two times', good.replace(/^t=\d+,/, (time) => `${time}${time}`), {}, false],
    ['is cut', good.slice(0, 60), {}, false],
    ['is missing', '', {}, false],
  ] as const)('%s', (_name, header, more, expected) => {
    expect(judge(header, more)).toBe(expected)
  })
})

describe('events', () => {
  it('are refused without a right signature, and store nothing', async () => {
    const body = standIn.event('customer.subscription.updated', standIn.add(acme.id))
    expect(await send(body, signatureOf(body, now, 'whsec_other'))).toMatchObject({ status: 400 })
    expect(await send('{}', signatureOf('{}', now))).toMatchObject({ status: 400 })
    expect(await send('not JSON', signatureOf('not JSON', now))).toMatchObject({ status: 400 })
    expect(await store.db.selectFrom('billing_event').selectAll().execute()).toEqual([])
    expect(await store.db.selectFrom('job').select('id').execute()).toEqual([])
  })

  it('put a workspace on the plan that was bought, at once, and queue what its pause has left', async () => {
    expect(await state()).toBe('free')
    const bought = standIn.add(acme.id, { price: stripePrices.plus })
    expect((await send(standIn.event('checkout.session.completed', bought))).status).toBe(200)
    expect(await settle()).toBe(1)
    expect(await stored()).toEqual({ plan: 'plus', paid_until: null })
    expect(await state()).toBe('plus')
    const waiting = await store.db.selectFrom('job').select('kind').execute()
    expect(waiting.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['refresh_findings', 'open_incidents']),
    )
  })

  it('that come twice are taken once', async () => {
    const body = standIn.event('customer.subscription.created', standIn.add(acme.id))
    expect((await send(body)).status).toBe(200)
    expect(await settle()).toBe(1)
    expect((await send(body)).status).toBe(200)
    expect(await settle()).toBe(0)
    const acts = await store.db
      .selectFrom('audit_event')
      .select(['actor_name', 'after'])
      .where('workspace_id', '=', acme.id)
      .where('action', '=', 'workspace.plan_changed')
      .execute()
    expect(acts.at(-1)).toEqual({ actor_name: 'Stripe', after: { plan: 'core', endsAt: null } })
  })

  it('in any order lead to the state that the provider has now', async () => {
    const bought = standIn.add(acme.id)
    const created = standIn.event('customer.subscription.created', bought)
    const updated = standIn.event('customer.subscription.updated', bought)
    bought.status = 'canceled'
    bought.endedAt = Math.floor(now.getTime() / 1000) - 60
    const deleted = standIn.event('customer.subscription.deleted', bought)
    for (const body of [deleted, updated, created]) {
      expect((await send(body)).status).toBe(200)
      await settle()
      expect(await state()).toBe('free')
    }
  })

  it('of other things and of strangers change nothing', async () => {
    const strange = standIn.add('00000000-0000-7000-8000-00000000dead')
    expect((await send(standIn.event('customer.subscription.created', strange))).status).toBe(200)
    expect((await send(standIn.event('invoice.paid', standIn.add(acme.id)))).status).toBe(200)
    await settle()
    expect(await stored()).toEqual({ plan: 'trial', paid_until: null })
  })
})

describe('a subscription', () => {
  const fetched = async (id: string) => fetchSubscription(store.db, { stripe, subscriptionId: id, now })

  it('that is to end has its end; one that goes on again has none', async () => {
    const bought = standIn.add(acme.id, { cancelAt: Math.floor(later(600).getTime() / 1000) })
    await fetched(bought.id)
    expect(await stored()).toEqual({ plan: 'core', paid_until: later(600) })
    bought.cancelAt = null
    await fetched(bought.id)
    expect(await stored()).toEqual({ plan: 'core', paid_until: null })
  })

  it('keeps its plan while a payment that failed is tried again, and ends when that is given up', async () => {
    const bought = standIn.add(acme.id)
    await fetched(bought.id)
    bought.status = 'past_due'
    await fetched(bought.id)
    expect(await state()).toBe('core')
    bought.status = 'unpaid'
    await fetched(bought.id)
    expect(await stored()).toEqual({ plan: 'core', paid_until: now })
    expect(await state()).toBe('free')
  })

  it('that was never paid for changes nothing', async () => {
    for (const status of ['incomplete', 'incomplete_expired']) {
      await fetched(standIn.add(acme.id, { status }).id)
      expect(await stored()).toEqual({ plan: 'trial', paid_until: null })
    }
  })

  it('that ended does not end the one that followed it', async () => {
    const former = standIn.add(acme.id)
    await fetched(former.id)
    former.status = 'canceled'
    await fetched(former.id)
    const next = standIn.add(acme.id, { price: stripePrices.starter })
    await fetched(next.id)
    await fetched(former.id)
    expect(await stored()).toEqual({ plan: 'starter', paid_until: null })
  })

  it('moved to Starter keeps the destinations, silent', async () => {
    const bought = standIn.add(acme.id)
    await fetched(bought.id)
    const hook: BodyOf<typeof addDestination> = {
      kind: 'webhook',
      name: 'hook',
      url: 'https://a.acme.example/',
      events: ['report.received'],
    }
    await owner.call(addDestination, { body: hook })
    bought.price = stripePrices.starter
    await fetched(bought.id)
    expect(await state()).toBe('starter')
    const listed = await owner.call(listDestinations)
    expect(listed.destinations).toMatchObject([{ enabled: true }])
  })

  it('whose answer comes late does not replace a newer one', async () => {
    const bought = standIn.add(acme.id)
    now = later(10)
    await fetched(bought.id)
    bought.price = stripePrices.plus
    now = later(5)
    await fetched(bought.id)
    expect(await stored()).toEqual({ plan: 'core', paid_until: null })
  })

  it('with a price that is not configured stops with a reason, for the operator', async () => {
    const bought = standIn.add(acme.id, { price: 'price_unknown' })
    await expect(fetched(bought.id)).rejects.toThrow(/price that no STRIPE_PRICE names/)
    expect(await stored()).toEqual({ plan: 'trial', paid_until: null })
  })

  it('is asked after when its period is over and no event came', async () => {
    const bought = standIn.add(acme.id)
    await fetched(bought.id)
    await askAfterPeriods(store.db, later(60))
    expect(await settle()).toBe(0)
    bought.status = 'canceled'
    bought.endedAt = bought.periodEnd
    now = at(bought.periodEnd + 7_200)
    await askAfterPeriods(store.db, now)
    expect(await settle()).toBe(1)
    expect(await stored()).toEqual({ plan: 'core', paid_until: at(bought.periodEnd) })
  })
})

describe('the billing page', () => {
  it('leads to a checkout for the workspace, also while it is read-only', async () => {
    expect(await owner.call(getBilling)).toMatchObject({
      isSelfService: true,
      onSale: ['starter', 'core', 'plus'],
      subscription: null,
    })
    const answer = await owner.call(openCheckout, { body: { plan: 'core' } })
    expect(answer.url).toContain(`${standIn.url}/pay/`)
    expect(standIn.asked.at(-1)).toMatchObject({
      authorization: `Bearer ${stripeKeys.secretKey}`,
      form: {
        mode: 'subscription',
        'line_items[0][price]': 'price_core',
        client_reference_id: acme.id,
        'subscription_data[metadata][workspace]': acme.id,
        customer_email: 'owner@acme.example',
        success_url: 'https://monitor.example/app/acme/settings/billing?from=checkout',
      },
    })
  })

  it('leads to the portal once there is a subscription, and to no second one', async () => {
    expect(await owner.refused(openPortal)).toMatchObject({ status: 409 })
    const bought = standIn.add(acme.id)
    await fetchSubscription(store.db, { stripe, subscriptionId: bought.id, now })
    expect(await owner.refused(openCheckout, { body: { plan: 'plus' } })).toMatchObject({ status: 409 })
    const answer = await owner.call(openPortal)
    expect(answer.url).toContain(`${standIn.url}/portal`)
    expect(standIn.asked.at(-1)?.form).toMatchObject({ customer: bought.customer })
  })

  it('says when the provider cannot be used, and never with its key', async () => {
    standIn.nextAnswer = { status: 401, body: { error: { message: 'Invalid API key' } } }
    const answer = await owner.refused(openCheckout, { body: { plan: 'core' } })
    expect(answer).toMatchObject({ status: 503, body: { error: 'not_configured' } })
    expect(JSON.stringify(answer.body)).not.toContain(stripeKeys.secretKey)
  })
})

it('without a payment provider the operator sets plans, and there is no address for events', async () => {
  const bare = await startTestHttp({ database: store, now: () => now })
  try {
    const session = await AppSession.signIn(bare.url, acme.members.owner)
    expect(await session.call(getBilling)).toEqual({
      isSelfService: false,
      onSale: [],
      subscription: null,
    })
    const body = { plan: 'core' }
    expect(await session.refused(openCheckout, { body })).toMatchObject({
      status: 503,
      body: { message: 'The operator of this installation sets plans.' },
    })
    expect((await call(`${bare.url}/api/billing/stripe-events`, { method: 'POST', body: '{}' })).status).toBe(
      404,
    )
  } finally {
    await bare.stop()
  }
})
