import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { stripeKeys, stripePrices, StripeStandIn } from '../test/support/stripe-stand-in.ts'
import { untilLoaded } from './support/browser.ts'
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
      OUTBOUND_ALLOWED_HOSTS: `billing=${provider.url}`,
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

it('marks the plan that is in force, where the operator has set one that is on sale', async () => {
  const marked = () => page.getByRole('region', { name: 'Subscribe' }).getByText('In force', { exact: true })
  expect(await marked().count()).toBe(0)
  await scene.store.query(`update workspace set plan = 'core', paid_until = now() + interval '9 days'`)
  await page.reload()
  await fact('Plan', 'Core').waitFor()
  const core = page.getByRole('region', { name: 'Core', exact: true })
  await core.getByText('In force', { exact: true }).waitFor()
  expect(await marked().count()).toBe(1)
  await scene.store.query(`update workspace set plan = 'trial', paid_until = null`)
  await page.reload()
  await fact('Plan', 'Free (read-only)').waitFor()
})

/** Creating verbs on pages where a read-only workspace refuses them. */
const makes =
  /^(Add|Begin|Choose|Confirm|Create|Invite|Open incident|Send|Start|Store|Show how|Upload|Write)\b/
/** Pages, and the creating buttons that they show. */
type Making = readonly (readonly [path: string, buttons: readonly string[]])[]
const pagesThatMake: Making = [
  ['', ['Add one', 'Confirm it', 'Create token', 'Send an SBOM', 'Start a drill', 'Store it', 'Store them']],
  ['/families', ['Create family']],
  ['/families?dialog=create', ['Create family']],
  ['/incidents?dialog=open', ['Open incident']],
  ['/advisories', []],
  ['/metrics', ['Send an SBOM']],
  ['/settings/tokens?dialog=create', ['Create token']],
  ['/settings/members?dialog=invite', ['Invite']],
  ['/settings/connector', ['Create token']],
  ['/settings/notifications?dialog=add', ['Add destination']],
  ['/settings/company', []],
  ['/settings/regimes', []],
  ['/settings/disclosure', []],
]
const pagesWithoutFamily: Making = [
  ['', ['Add one', 'Confirm it', 'Create family', 'Send an SBOM', 'Start a drill', 'Store it', 'Store them']],
  ['/settings/connector', ['Create family']],
  ['/metrics', ['Send an SBOM']],
]

it('offers nothing that it would refuse: each button is there and says why', async () => {
  await scene.store.query('delete from token')
  const { rows } = await scene.store.query<{ id: string }>('select id from family')
  await expectRefused([
    ...pagesThatMake,
    [`/families/${rows[0]?.id ?? ''}`, ['Choose files', 'Create token']],
  ])
  await scene.store.query('update family set deleted_at = now()')
  await expectRefused(pagesWithoutFamily)
})

/** Each button is there, disabled, with a reason. */
async function expectRefused(making: Making): Promise<void> {
  for (const [path, wanted] of making) {
    await page.goto(`${scene.service.baseUrl}/app/acme${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await untilLoaded(page)
    const buttons = page.getByRole('main').locator('a, button').filter({ hasText: makes })
    await expect
      .poll(async () => [...new Set(await buttons.allInnerTexts())].sort(), { message: path })
      .toEqual(wanted)
    expect(await page.getByRole('dialog').count(), path).toBe(0)
    for (const button of await buttons.all()) {
      const name = await button.innerText()
      expect(await button.getAttribute('aria-disabled'), `${name} on ${path}`).toBe('true')
      expect(await button.getAttribute('aria-describedby'), `${name} on ${path}`).not.toBeNull()
    }
  }
}

it('comes back from the checkout with the plan in force, without a reload', async () => {
  await page.goto(`${scene.service.baseUrl}/app/acme/settings/billing`)
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
