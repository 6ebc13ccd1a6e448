import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../test/support/database.ts'
import { startService, type Service } from '../test/support/service.ts'
import { expectAccessible, openBrowser, openContext } from './support/browser.ts'
import { linkTo } from './support/mail.ts'
import { rowWith } from './support/rows.ts'

const demo = join(import.meta.dirname, '../demo')
/** DOCS_PICTURES=folder keeps the pictures that docs/ shows: `npm run docs:pictures`. */
const pictures = process.env['DOCS_PICTURES']

let store: TestDatabase
let service: Service
let browser: Browser
let page: Page
let token = ''

beforeAll(async () => {
  store = await createTestDatabase()
  const sealing = { ENCRYPTION_KEYS: Buffer.alloc(32, 7).toString('base64') }
  service = await startService({
    env: { DATABASE_URL: store.url, LOG_LEVEL: 'warn', ...sealing },
    readyWithinMs: 120_000,
  })
  for (const file of ['vulnerabilities.ndjson', 'kev.json']) {
    await service.cli(['vulnerabilities', 'import', '--complete', join(demo, file)])
  }
  browser = await openBrowser()
  page = await (await openContext(browser)).newPage()
  await page.setViewportSize({ width: 1280, height: 760 })
}, 300_000)
afterAll(async () => {
  await browser.close()
  await service.stop()
  await store.drop()
}, 60_000)

/** Checks accessibility at a newcomer's step, and keeps a small picture. */
async function shown(name: string): Promise<void> {
  await expectAccessible(page)
  if (pictures === undefined) return
  mkdirSync(pictures, { recursive: true })
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 70 })
  writeFileSync(join(pictures, `${name}.webp`), Buffer.from(data, 'base64'))
}

const heading = (name: string | RegExp) => page.getByRole('heading', { name, level: 1 })
const sidebar = (name: string) =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click()
const dialog = () => page.getByRole('dialog')

it('signs up with the company, and gets a link by mail', async () => {
  await page.goto(`${service.baseUrl}/app`)
  await heading('Sign in').waitFor()
  await page.getByRole('link', { name: 'Sign up' }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Olga Owner')
  await page.getByRole('textbox', { name: 'E-mail', exact: true }).fill('olga@acme.example')
  await page.getByRole('textbox', { name: 'Company name' }).fill('Acme')
  await page.getByRole('textbox', { name: 'Security contact e-mail' }).fill('security@acme.example')
  await shown('sign-up')
  await page.getByRole('button', { name: 'Sign up' }).click()
  await heading('Confirm your e-mail address').waitFor()
})

it('opens the link, and is told the first steps', async () => {
  await page.goto(await linkTo({ service, store: store.pool }, 'olga@acme.example', 'letter.sign_up'))
  await heading('Create the workspace').waitFor()
  await page.getByLabel(/^Password/).fill('correct horse battery')
  await page.getByRole('button', { name: 'Create the workspace' }).click()
  await heading('Dashboard').waitFor()
  await page.getByText('0 of 3 done').first().waitFor()
  await shown('first-steps')
})

it('follows each first step to the next: family, token, SBOM', async () => {
  const steps = () => page.getByRole('main').getByRole('listitem').getByRole('link')
  await steps().first().click()
  await dialog().getByRole('textbox', { name: 'Name' }).fill('Pump')
  await dialog().getByRole('button', { name: 'Create family' }).click()
  await heading('Pump').waitFor()
  await sidebar('Dashboard')
  await page.getByText('1 of 3 done').first().waitFor()
  await steps().first().click()
  await dialog().getByRole('textbox', { name: 'Name' }).fill('ci-main')
  await dialog().getByRole('button', { name: 'Create token' }).click()
  const secret = dialog().getByText(/^svc_/)
  await secret.waitFor()
  token = (await secret.textContent()) ?? ''
  await dialog().getByRole('button', { name: 'I have saved it' }).click()
  await sidebar('Dashboard')
  await page.getByText('2 of 3 done').first().waitFor()
  await steps().first().click()
  await heading('Pump').waitFor()
  await shown('waiting-for-the-first-sbom')
})

it('sends the first SBOM, and its page opens with the first findings', async () => {
  const answer = await fetch(`${service.baseUrl}/api/v1/sboms`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'X-Service-Source': 'pipeline_ci' },
    body: readFileSync(join(demo, 'sample.cdx.json')),
  })
  expect(answer.status).toBe(202)
  await page.waitForURL(/\/app\/acme\/sboms\//)
  const row = rowWith(page, /CVE-2021-44228/)
  await row.waitFor()
  await shown('first-findings')
  await row.click()
  await dialog()
    .getByText(/log4j-core 2\.14\.1 is inside/)
    .waitFor()
  await shown('evidence-of-a-finding')
  await page.keyboard.press('Escape')
})

it('is led from the dashboard to the first destination', async () => {
  await sidebar('Dashboard')
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Hear of incidents at once' })
    .getByRole('link', { name: 'Add one' })
    .click()
  const form = page.getByRole('dialog', { name: 'Add a destination' })
  await form.getByRole('radio', { name: 'Webhook' }).check()
  await form.getByRole('textbox', { name: 'URL' }).fill('https://alerts.example.com/sbom-monitor')
  await form.getByRole('textbox', { name: 'Name' }).fill('Security on call')
  await form.getByText('The URL looks right.').waitFor()
  await shown('first-destination')
  await form.getByRole('button', { name: 'Add destination', exact: true }).click()
  const secret = page.getByRole('dialog', { name: 'Copy the signing secret now' })
  await secret.getByText(/^whsec_/).waitFor()
  await secret.getByRole('button', { name: 'I have saved it' }).click()
  await page.getByRole('table', { name: 'Alert destinations' }).getByText('Security on call').waitFor()
})

it('finds the first incident on the dashboard, with its clocks', async () => {
  await sidebar('Dashboard')
  const deadlines = page.getByRole('table', { name: 'Deadlines' })
  await rowWith(deadlines, /CVE-2021-44228 in Pump/)
    .first()
    .getByRole('link')
    .first()
    .click()
  await heading(/CVE-2021-44228 in Pump/).waitFor()
  await page
    .getByText(/^in 23 h/)
    .first()
    .waitFor()
  await shown('first-incident')
})

it('goes on from the incident to the first advisory, which is in the feed', async () => {
  await page.getByRole('button', { name: 'Write an advisory' }).click()
  const status = page.getByRole('combobox', { name: /^Status of / })
  await status.selectOption('affected')
  await page.getByRole('button', { name: 'Add remediation' }).click()
  await page.getByRole('textbox', { name: 'What to do' }).fill('Update to 2.4.2.')
  await page.getByRole('tab', { name: /^Tests/ }).click()
  await page.getByText('The document passes every mandatory test').waitFor()
  await shown('first-advisory')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Publish…' }).click()
  await dialog().getByRole('textbox', { name: 'What is new' }).fill('First publication.')
  await dialog().getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByRole('link', { name: 'Public page' }).waitFor()
  const index = await fetch(`${service.baseUrl}/csaf/acme/white/index.txt`)
  expect(await index.text()).toMatch(/^\d{4}\/acme-sa-\d{4}-0001\.json\n$/)
})
