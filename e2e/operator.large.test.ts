import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { S3Server } from '../test/support/s3-server.ts'
import { endAfterTests, openScene, sampleSbom, type Scene } from './support/scene.ts'

let scene: Scene
let page: Page
let bucket: S3Server
beforeAll(async () => {
  bucket = await S3Server.start()
  scene = await openScene({ owner: 'Olga', viewer: 'Vera' }, bucket.env)
  page = scene.page
  await scene.sendSbom(sampleSbom)
  await fillUp()
}, 240_000)
afterAll(() => bucket.stop())
endAfterTests(() => scene)

const at = (path: string) => `${scene.service.baseUrl}${path}`

/** More than one page of workspaces, failed jobs, and stored messages. */
async function fillUp(): Promise<void> {
  await scene.store.query(`
    insert into workspace (id, slug, company_name, security_contact_email, plan, created_at, paid_until, suspended_at)
    select gen_random_uuid(), 'plant-with-a-long-name-' || n, 'Plant', 'security@plant.example', (array['core', 'plus', 'free'])[1 + n % 3],
      now() - n * interval '1 day', null, case when n % 7 = 0 then now() end
    from generate_series(10, 62) n`)
  await scene.store.query(`
    insert into job (kind, key, payload, state, max_attempts, attempts, created_at, run_at, failed_at, last_error, workspace_id)
    select (array['fetch_subscription', 'mail_reporter'])[1 + n % 2], 'e2e-' || n, '{}', 'failed', 10, 10, now() - interval '1 hour', now(), now() - n * interval '50 minutes',
      'the payment provider answered 503 to https://api.stripe.com/v1/subscriptions/sub_12345678901234567890 and again', (select id from workspace where slug = 'acme')
    from generate_series(1, 4) n`)
  await scene.store.query(`
    insert into mail (id, event_id, kind, fact, is_named, recipient, recipient_name, subject, state, created_at, due_at, attempts, reason)
    select gen_random_uuid(), gen_random_uuid(), 'letter.password_reset', '{"type": "letter.password_reset"}', true,
      'somebody.with.a.long.address.' || n || '@customer-of-ours.example', 'Somebody', 'Choose a new password', (array['kept', 'failed'])[1 + n % 2],
      now() - n * interval '7 hours', now(), 1, case when n % 2 = 1 then '550 5.1.1 mailbox unknown' end
    from generate_series(1, 4) n`)
}

test('a link opens the pages, where an operator suspends, lifts, bounds and retries, and signs out', async () => {
  const { link } = await scene.service.cli<{ link: string }>(['operator', 'link'])
  await page.goto(link)
  await page.getByRole('heading', { name: 'Sign in as operator', level: 1 }).waitFor()
  await scene.look('operator-enter')
  await page.getByRole('button', { name: 'Sign in as operator' }).click()
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  await page.getByRole('link', { name: '4 failed jobs' }).waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.hash === '#content')
  await page.getByText('It answered when this page was made.').waitFor()
  await scene.look('operator-overview')
  bucket.fate = () => 503
  await page.reload()
  await page.getByRole('link', { name: 'The object store fails' }).waitFor()
  await scene.look('operator-overview-store-fails')
  bucket.heal()

  await page.getByRole('link', { name: 'Workspaces', exact: true }).click()
  await page.getByText('54 workspaces').waitFor()
  await scene.look('operator-workspaces')
  await page.getByRole('link', { name: 'Next page →' }).click()
  await page.getByRole('link', { name: '← First page' }).waitFor()
  await page.getByLabel('Find by slug').fill('acme')
  await page.getByRole('button', { name: 'Find' }).click()
  await page.getByRole('link', { name: 'acme', exact: true }).click()
  await page.getByRole('heading', { name: 'acme', level: 1 }).waitFor()
  await scene.look('operator-workspace')

  const suspending = page.getByRole('region', { name: 'Suspend' })
  await suspending.getByLabel('Reason').fill('Unpaid since May')
  await suspending.getByLabel('Type acme to confirm').fill('acne')
  await suspending.getByRole('button', { name: 'Suspend acme' }).click()
  await page.getByRole('alert').waitFor()
  expect(await suspending.getByLabel('Reason').inputValue()).toBe('Unpaid since May')
  await scene.look('operator-workspace-refused')
  await suspending.getByLabel('Type acme to confirm').fill('acme')
  await suspending.getByRole('button', { name: 'Suspend acme' }).click()
  await page.getByText('The workspace is suspended: it is read-only').waitFor()
  await scene.look('operator-workspace-suspended')
  await page.getByRole('button', { name: 'Lift the suspension' }).click()
  await page.getByText('The suspension was lifted.').waitFor()
  const bounding = page.getByRole('region', { name: 'Ceilings' })
  await bounding.getByLabel('Product families').fill('20')
  await bounding.getByRole('button', { name: 'Set ceilings' }).click()
  await page.getByText('1 of 20').waitFor()

  await page.getByRole('link', { name: 'Failed jobs' }).click()
  await page.getByRole('heading', { name: 'Failed jobs', level: 1 }).waitFor()
  await scene.look('operator-jobs')
  await page
    .getByRole('button', { name: /^Retry job/ })
    .first()
    .click()
  await page.getByText('1 job waits to run again').waitFor()
  await page.getByRole('link', { name: 'Mail', exact: true }).click()
  await page.getByText('There is no mail server').waitFor()
  await scene.look('operator-mail')

  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL((url) => url.pathname.startsWith('/app'))
  expect((await page.goto(at('/operator')))?.status()).toBe(404)
  expect((await page.goto(link))?.status()).toBe(404)
}, 400_000)
