import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startService } from '../test/support/service.ts'
import {
  startReceiverLab,
  type Received,
  type Receiver,
  type ReceiverLab,
} from '../test/support/receivers.ts'
import { expectRow } from './support/expect-row.ts'
import { openScene, type Scene } from './support/scene.ts'
import { rowWith } from './support/rows.ts'

let lab: ReceiverLab
let receiver: Receiver
let slack: Receiver
let scene: Scene
let page: Page
/** The receiver's secret and state; both change during the test. */
let knownSecret = ''
let isBroken = false

/** A customer's check: the signature over `t` and the raw body, keyed with the whole secret as text. */
function isSignedWith(secret: string, { headers, body }: Received): boolean {
  const [, t = '', v1 = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['service-signature'])) ?? []
  const expected = createHmac('sha256', secret).update(`${t}.${body}`).digest()
  const given = Buffer.from(v1, 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

beforeAll(async () => {
  lab = await startReceiverLab()
  receiver = await lab.receive('alerts.acme.example', (request, response) => {
    if (isBroken) response.writeHead(500).end('<b>no room on the disk</b>')
    else if (isSignedWith(knownSecret, request)) response.writeHead(204).end()
    else response.writeHead(401).end('wrong signature')
  })
  slack = await lab.receive('hooks.slack.com')
  scene = await openScene(
    { owner: 'Olga', admin: 'Adam', lead: 'Lena', viewer: 'Vera' },
    { ...lab.env(), LOG_LEVEL: 'error' },
  )
  page = scene.page
  await scene.signIn(page, 'adam@acme.example')
}, 300_000)
afterAll(async () => {
  await scene.close()
  lab.close()
}, 60_000)

const settings = '/app/acme/settings/notifications'
const open = (path = settings) => page.goto(`${scene.service.baseUrl}${path}`)
const dialog = (name: string | RegExp) => page.getByRole('dialog', { name })
const button = (name: string, within: Page | Locator = page) =>
  within.getByRole('button', { name, exact: true })
const destinations = () => page.getByRole('table', { name: 'Alert destinations' })
const problems = () => page.getByRole('table', { name: 'Delivery problems' })
const destination = async (name: string) => {
  await destinations().getByRole('link', { name }).click()
  const drawer = dialog(name)
  await drawer.waitFor()
  return drawer
}

async function secretOf(form: Locator): Promise<string> {
  const secret = form.getByText(/^whsec_/)
  await secret.waitFor()
  return secret.innerText()
}

/** Sends a test from the open drawer or dialog and waits for its result. */
async function sendTest(within: Locator): Promise<Locator> {
  await button('Send a test', within).click()
  const status = within.getByRole('status')
  await status.getByText(/^(sent|failed)/).waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Send a test')
  return status
}

describe('a webhook', () => {
  let firstSecret = ''

  it('is added with a URL that is judged while it is typed, and nothing moves meanwhile', async () => {
    await open()
    await page.getByText('Nothing is posted anywhere yet.').waitFor()
    await scene.look('notifications-empty', { whole: false })
    await button('Add destination').first().click()
    const form = dialog('Add a destination')
    await form.getByRole('radio', { name: 'Slack' }).waitFor()
    await scene.look('notifications-add-slack', { whole: false })
    for (const variable of ['event', 'summary', 'details', 'workspace', 'link']) {
      await form.locator('code', { hasText: variable }).first().waitFor()
    }
    const url = form.getByRole('textbox', { name: 'URL' })
    const name = form.getByRole('textbox', { name: 'Name' })
    const before = await name.boundingBox()
    await url.fill('https://hooks.slack.com/elsewhere')
    await form.getByText('The path must start with /services/').waitFor()
    await scene.look('notifications-add-url-refused', { whole: false })
    await form.getByRole('radio', { name: 'Microsoft Teams' }).check()
    await form.getByText('The host must be logic.azure.com').waitFor()
    await form.getByRole('radio', { name: 'Webhook' }).check()
    await url.fill(receiver.url)
    await form.getByText('The URL looks right.').waitFor()
    expect(await name.boundingBox()).toEqual(before)
    await scene.look('notifications-add-webhook', { whole: false })
  })

  it('says at its fields what is missing', async () => {
    const form = dialog('Add a destination')
    await form.getByRole('textbox', { name: 'Name' }).fill('   ')
    await form.getByRole('checkbox', { name: 'Report received' }).uncheck()
    for (const event of ['Incident opened', 'Deadline near', 'Approval requested']) {
      await form.getByRole('checkbox', { name: event }).uncheck()
    }
    await button('Add destination', form).click()
    await form.getByText('Choose at least one event.').waitFor()
    await form.getByRole('checkbox', { name: 'Incident opened' }).check()
    await form.getByRole('checkbox', { name: 'Deadline near' }).check()
    await button('Add destination', form).click()
    await form.getByText('1 to 80 characters are required.').waitFor()
    await scene.look('notifications-add-fields-refused', { whole: false })
    await form.getByRole('textbox', { name: 'Name' }).fill('On call')
    await button('Add destination', form).click()
  })

  it('shows its secret once, and a test arrives that verifies with it', async () => {
    const form = dialog('Copy the signing secret now')
    firstSecret = await secretOf(form)
    await page.keyboard.press('Escape')
    knownSecret = firstSecret
    await (await sendTest(form)).getByText(/204 in \d+ ms/).waitFor()
    await receiver.wait(1)
    const [first] = receiver.requests
    expect(first && isSignedWith(firstSecret, first)).toBe(true)
    expect(JSON.parse(first?.body ?? '')).toMatchObject({ type: 'test', data: { destination: 'On call' } })
    await scene.look('notifications-secret', { whole: false })
    await button('I have saved it', form).click()
    await form.waitFor({ state: 'hidden' })
    await expectRow(destinations(), {
      Name: 'On call',
      Kind: 'Webhook',
      Host: 'alerts.acme.example',
      Events: 'Incidents, deadlines',
      Added: 'Adam',
      'Last delivery': 'sent',
    })
    expect(await page.content()).not.toContain('whsec_')
    await open()
    await destinations().getByRole('link', { name: 'On call' }).waitFor()
    expect(await page.content()).not.toContain('whsec_')
  })

  it('that fails is seen in its drawer, under Delivery problems, on the tab and on the dashboard', async () => {
    isBroken = true
    const drawer = await destination('On call')
    const result = await sendTest(drawer)
    await result.getByText('HTTP 500: <b>no room on the disk</b>').waitFor()
    await drawer.getByRole('listitem').filter({ hasText: 'failed' }).getByText('500 in').waitFor()
    await scene.look('notifications-drawer-failed', { whole: false })
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'hidden' })
    const problem = rowWith(problems(), /On call/)
    await problem.getByText('no room on the disk').waitFor()
    await page.getByRole('img', { name: '1 delivery failed in the last 24 hours' }).waitFor()
    await scene.look('notifications-list')
    await problem.getByRole('link').click()
    await dialog('Test was not delivered').getByText(/^evt_/).waitFor()
    await scene.look('notifications-problem', { whole: false })
    await open('/app/acme')
    await page.getByText('1 post to alert destinations failed in the last 24 hours.').waitFor()
    await scene.look('notifications-dashboard', { whole: false })
    await page.getByRole('link', { name: 'Delivery problems' }).click()
    await problem.waitFor()
    isBroken = false
  })

  it('with a new secret is refused by a receiver that knows the old one, and the old signature by one that knows the new', async () => {
    const drawer = await destination('On call')
    await button('New secret', drawer).click()
    const question = dialog('Make a new signing secret for On call?')
    await question.getByText('The old secret ends at once').waitFor()
    await scene.look('notifications-new-secret', { whole: false })
    await button('Make new secret', question).click()
    const shown = dialog('Copy the signing secret now')
    const newSecret = await secretOf(shown)
    expect(newSecret).not.toBe(firstSecret)
    await button('I have saved it', shown).click()
    await shown.waitFor({ state: 'hidden' })
    await (await sendTest(drawer)).getByText('HTTP 401: wrong signature').waitFor()
    knownSecret = newSecret
    await (await sendTest(drawer)).getByText(/204 in \d+ ms/).waitFor()
    const [oldPost] = receiver.requests
    const newPost = receiver.requests.at(-1)
    expect(oldPost && isSignedWith(knownSecret, oldPost)).toBe(false)
    expect(newPost && isSignedWith(knownSecret, newPost)).toBe(true)
  })

  it('is renamed, turned off and still tested', async () => {
    const drawer = dialog('On call')
    await button('Edit', drawer).click()
    const form = dialog('Edit On call')
    await form.getByRole('textbox', { name: 'Name' }).fill('Night shift')
    await form.getByRole('checkbox', { name: 'Report received' }).check()
    await scene.look('notifications-edit', { whole: false })
    await button('Save', form).click()
    await form.waitFor({ state: 'hidden' })
    const renamed = dialog('Night shift')
    await renamed.getByText('Incidents, deadlines, reports').waitFor()
    await renamed.getByRole('switch', { name: 'On' }).press('Space')
    await renamed.getByRole('switch', { name: 'Off: nothing is posted' }).waitFor()
    await (await sendTest(renamed)).getByText(/204 in \d+ ms/).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('switch', { name: 'Post to Night shift' }).isChecked()).toBe(false)
  })

  it('is removed after saying what stops; its problems stay and can be filtered', async () => {
    const drawer = await destination('Night shift')
    await button('Remove', drawer).click()
    const question = dialog('Remove Night shift?')
    await question
      .getByText('No longer posted there: Incident opened, Deadline near, Report received.')
      .waitFor()
    await scene.look('notifications-remove', { whole: false })
    await button('Remove destination', question).click()
    await page.getByText('Nothing is posted anywhere yet.').waitFor()
    await expectRow(problems(), { Destination: /Night shift.*removed/ })
    await page.getByLabel('Problems of').selectOption({ label: 'Night shift (removed)' })
    await page.waitForURL(/failed=/)
    await page.reload()
    await page.getByText('2 problems').waitFor()
    await scene.look('notifications-removed')
  })
})

it('a chat is added without a secret and gets a message that people can read', async () => {
  await open()
  await button('Add destination').first().click()
  const form = dialog('Add a destination')
  await form.getByRole('textbox', { name: 'URL' }).fill('https://hooks.slack.com/services/T0/B0/x')
  await form.getByRole('textbox', { name: 'Name' }).fill('#security')
  await button('Add destination', form).click()
  const added = dialog('#security is added')
  await (await sendTest(added)).getByText(/204 in \d+ ms/).waitFor()
  await scene.look('notifications-chat-added', { whole: false })
  expect(slack.requests[0]?.body).toContain('Test of the alert destination')
  await button('Done', added).click()
  await expectRow(destinations(), { Name: '#security', Kind: 'Slack', Events: 'All events' })
})

describe('people who may not', () => {
  const as = async (email: string) => {
    await page.context().clearCookies()
    await scene.signIn(page, email)
    await open()
  }

  it('a lead looks; every act says whom it needs', async () => {
    await as('lena@acme.example')
    const reason = 'Your role is lead. This needs owner or admin.'
    const isRefused = async (refused: Locator) => {
      await expect.poll(() => refused.getAttribute('aria-disabled')).toBe('true')
      const reasonId = (await refused.getAttribute('aria-describedby')) ?? ''
      expect(await page.locator(`[id="${reasonId}"]`).innerText()).toBe(reason)
    }
    await isRefused(button('Add destination').first())
    await isRefused(page.getByRole('switch', { name: 'Post to #security' }))
    await page.getByRole('switch', { name: 'Post to #security' }).click({ force: true })
    expect(await page.getByRole('switch', { name: 'Post to #security' }).isChecked()).toBe(true)
    const drawer = await destination('#security')
    for (const name of ['Edit', 'Remove', 'Send a test']) await isRefused(button(name, drawer))
    await drawer.getByText('204 in').waitFor()
    await scene.look('notifications-lead-drawer', { whole: false })
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'hidden' })
    await scene.look('notifications-lead', { whole: false })
  })

  it('a viewer is told who may see this', async () => {
    await as('vera@acme.example')
    await page.getByText('shown to owners, admins and leads').waitFor()
    await page.getByText('Your role is viewer. This needs owner, admin or lead.').waitFor()
    await scene.look('notifications-viewer', { whole: false })
  })

  it.each([
    ['starter', 'Adding needs Core or Plus.', 'Nothing is posted on Starter.'],
    [
      'free',
      'The workspace is read-only because its trial or subscription has ended.',
      'Nothing is posted while the workspace is read-only.',
    ],
    ['closed', 'The workspace is closed.', 'Nothing is posted while the workspace is closed.'],
  ])('on %s the page and its buttons say why', async (plan, reason, standstill) => {
    await scene.service.cli(['workspace', 'plan', 'acme', plan])
    await as('olga@acme.example')
    await button('Add destination').first().hover()
    await page.getByRole('tooltip', { name: reason }).waitFor()
    await page.getByText(standstill).waitFor()
    await expectRow(destinations(), { Name: /#security.*Not sent/ })
    await page.mouse.move(0, 0)
    await scene.look(`notifications-${plan}`)
    await scene.service.cli(['workspace', 'plan', 'acme', 'core'])
  })

  it('without an encryption key the page says what is missing', async () => {
    const keyless = await startService({
      env: { DATABASE_URL: scene.storeUrl, LOG_LEVEL: 'fatal' },
      role: 'serve',
    })
    // cookies ignore ports: the session is valid there too
    await page.goto(`${keyless.baseUrl}${settings}`)
    await page.getByText('the service has no encryption key').first().waitFor()
    await expect.poll(() => button('Add destination').first().getAttribute('aria-disabled')).toBe('true')
    await scene.look('notifications-no-key', { whole: false })
    await keyless.stop()
  })
})
