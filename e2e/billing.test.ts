import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { stripeKeys, stripePrices, StripeStandIn } from '../test/support/stripe-stand-in.ts'
import { openScene, type Scene } from './support/scene.ts'

const provider = new StripeStandIn()
let scene: Scene
let page: Page

beforeAll(async () => {
  await provider.start()
  scene = await openScene(
    { owner: 'Olga' },
    {
      STRIPE_SECRET_KEY: stripeKeys.secretKey,
      STRIPE_WEBHOOK_SECRET: stripeKeys.webhookSecret,
      STRIPE_PRICE_STARTER: stripePrices.starter,
      STRIPE_PRICE_CORE: stripePrices.core,
      STRIPE_API_URL: provider.url,
      OUTBOUND_ALLOWED_HOSTS: '127.0.0.1',
    },
  )
  provider.eventsTo = `${scene.service.baseUrl}/api/billing/stripe-events`
  page = scene.page
  await scene.store.query(`update workspace set plan = 'trial', trial_ends_at = now() - interval '1 day'`)
  await scene.signIn(page, 'olga@acme.example')
}, 300_000)
afterAll(async () => {
  await scene.close()
  await provider.stop()
}, 60_000)

const fact = (name: string, value: string | RegExp) =>
  page
    .getByRole('region', { name: 'Plan', exact: true })
    .getByText(name, { exact: true })
    .locator('..')
    .getByText(value)

it('leads from the banner to the plans that are on sale', async () => {
  await page.getByRole('status').getByRole('link', { name: 'Subscribe' }).click()
  await page.getByRole('heading', { name: 'Billing', level: 1 }).waitFor()
  await fact('Plan', 'Free (read-only)').waitFor()
  await page.getByRole('button', { name: 'Subscribe to Starter' }).waitFor()
  expect(await page.getByRole('button', { name: 'Subscribe to Plus' }).count()).toBe(0)
  await scene.look('billing-plans')
})

it('comes back from the checkout with the plan in force, without a reload', async () => {
  await page.getByRole('button', { name: 'Subscribe to Core' }).click()
  await page.getByRole('heading', { name: 'Checkout' }).waitFor()
  await page.getByRole('button', { name: 'Pay' }).click()
  await page.getByRole('heading', { name: 'Billing', level: 1 }).waitFor()
  await fact('Plan', 'Core').waitFor()
  await fact('Subscription', 'active').waitFor()
  await page.getByText('The payment is on its way here.').waitFor({ state: 'hidden' })
  await page.getByText('Read-only: the trial or subscription has ended').waitFor({ state: 'hidden' })
  expect(await page.getByRole('button', { name: /^Subscribe to/ }).count()).toBe(0)
  await scene.look('billing-core')
})

it('leads to the page of the provider where the subscription ends, and says when', async () => {
  await page.getByRole('button', { name: 'Manage the subscription' }).click()
  await page.getByRole('heading', { name: 'Portal' }).waitFor()
  await page.getByRole('button', { name: 'End the subscription' }).click()
  await page.getByRole('heading', { name: 'Billing', level: 1 }).waitFor()
  await expect
    .poll(
      async () => {
        await page.reload()
        await fact('Subscription', 'active').waitFor()
        return fact('Ends', /./).count()
      },
      { timeout: 60_000 },
    )
    .toBeGreaterThan(0)
  await scene.look('billing-ending')
})
