import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../test/support/database.ts'
import { startService, type Service } from '../test/support/service.ts'
import { expectAccessible, openBrowser, openContext } from './support/browser.ts'
import { rowWith } from './support/rows.ts'

const demo = join(import.meta.dirname, '../demo')
/** SCREENSHOTS=folder keeps a picture of every step. */
const pictures = process.env['SCREENSHOTS']

let store: TestDatabase
let service: Service
let browser: Browser
let page: Page
let token: string
let sbomAddress: string

beforeAll(async () => {
  store = await createTestDatabase()
  service = await startService({
    env: { DATABASE_URL: store.url, LOG_LEVEL: 'warn' },
    readyWithinMs: 120_000,
  })
  for (const file of ['vulnerabilities.ndjson', 'kev.json']) {
    await service.cli(['vulnerabilities', 'import', '--complete', join(demo, file)])
  }
  browser = await openBrowser()
  page = await (await openContext(browser)).newPage()
}, 240_000)
afterAll(async () => {
  await browser.close()
  await service.stop()
  await store.drop()
}, 60_000)

afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await picture(`failed ${task.name}`)
})

async function picture(name: string): Promise<void> {
  if (pictures === undefined) return
  mkdirSync(pictures, { recursive: true })
  await page.screenshot({ path: join(pictures, `${name}.png`) })
}

/** The line in the page's upload help; machines without curl send the same request by other means. */
async function sendWithCurl(): Promise<unknown> {
  const url = `${service.baseUrl}/api/v1/sboms`
  const file = join(demo, 'sample.cdx.json')
  const headers = {
    Authorization: `Bearer ${token}`,
    'X-Service-Source': 'pipeline_ci',
    'X-Service-Commit': '9f3c1ab',
  }
  const lines = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const curl = spawnSync('curl', ['-sS', '--data-binary', `@${file}`, ...lines, url])
  if (curl.error === undefined) return JSON.parse(curl.stdout.toString())
  const response = await fetch(url, { method: 'POST', headers, body: readFileSync(file) })
  return response.json()
}

const focused = () => page.evaluate<string>('document.activeElement.textContent')
const heading = (name: string | RegExp) => page.getByRole('heading', { name, level: 1 })

describe('from the set-up link to the evidence of a finding', () => {
  it('makes the first owner', async () => {
    const [link = ''] = /http:\S+\/app\/setup#\S+/.exec(service.output()) ?? []
    await page.goto(link)
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Olga Owner')
    await page.getByRole('textbox', { name: 'E-mail', exact: true }).fill('olga@acme.example')
    await page.getByLabel(/^Password/).fill('correct horse battery')
    await page.getByRole('textbox', { name: 'Company name' }).fill('Acme')
    await page.getByRole('textbox', { name: 'Security contact e-mail' }).fill('security@acme.example')
    await expectAccessible(page)
    await picture('1-setup')
    const sent: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (request.method() === 'POST' && pathname.includes('/setup')) sent.push(pathname)
    })
    await page
      .getByRole('button', { name: 'Create the workspace' })
      .evaluate((button: { click: () => void }) => {
        button.click()
        button.click()
      })
    await heading('Dashboard').waitFor()
    // And asks for no other link meanwhile: this one would show as no longer valid.
    expect(sent).toEqual(['/api/app/setup'])
    await expectAccessible(page)
    await picture('2-dashboard')
  })

  it('creates a family', async () => {
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Families' }).click()
    await heading('Families').waitFor()
    await page.getByRole('button', { name: 'Create family' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Pump')
    await dialog.getByRole('button', { name: 'Create family' }).click()
    await heading('Pump').waitFor()
    await expectAccessible(page)
    await picture('3-family')
  })

  it('creates an upload token, shown once', async () => {
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Settings' }).click()
    await heading('Company').waitFor()
    await page
      .getByRole('navigation', { name: 'Settings' })
      .getByRole('link', { name: 'Connections' })
      .click()
    await heading('API tokens').waitFor()
    await page.getByRole('button', { name: 'Create token' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('ci-main')
    await dialog.getByRole('combobox', { name: 'Product family' }).selectOption({ label: 'Pump' })
    await dialog.getByRole('button', { name: 'Create token' }).click()
    const secret = dialog.getByText(/^svc_/)
    await secret.waitFor()
    token = (await secret.textContent()) ?? ''
    expect(token).toMatch(/^svc_[A-Za-z0-9_-]{43}$/)
    await expect.poll(() => focused()).toBe('Copy token')
    await picture('4-token')
    await dialog.getByRole('button', { name: 'I have saved it' }).click()
    await dialog.waitFor({ state: 'hidden' })
    const row = rowWith(page, /ci-main/)
    await row.waitFor()
    expect(await row.textContent()).toContain(token.slice(0, 10))
    expect(await page.content()).not.toContain(token)
    await expectAccessible(page)
    await picture('5-tokens')
  })

  it('waits on the family page, which turns into the SBOM page when curl has sent the first file', async () => {
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Families' }).click()
    await heading('Families').waitFor()
    await page.getByRole('link', { name: 'Pump' }).click()
    await heading('Pump').waitFor()
    expect(await sendWithCurl()).toMatchObject({ status: 'parsed', components: 15, version: '2.4.1' })
    await page.waitForURL(/\/app\/acme\/sboms\//)
    await page.getByText('matched', { exact: true }).first().waitFor()
    sbomAddress = page.url()
    const main = page.getByRole('main')
    for (const text of ['ci-main', 'Pipeline CI', '9f3c1ab', 'CycloneDX 1.6'])
      await main.getByText(text).first().waitFor()
    await rowWith(page, /CVE-2021-44228/).waitFor()
    await expectAccessible(page)
    await picture('6-sbom')
  })

  it('shows the evidence of a finding', async () => {
    await rowWith(page, /CVE-2021-44228/).click()
    const drawer = page.getByRole('dialog')
    await drawer
      .getByText(
        'log4j-core 2.14.1 is inside 2.13.0 … < 2.15.0 of GHSA-jfh8-c2jp-5v3q, matched by purl, exact.',
      )
      .waitFor()
    await expectAccessible(page)
    await picture('7-drawer')
    await drawer.getByRole('link', { name: 'Open as a page' }).click()
    await heading(/CVE-2021-44228/).waitFor()
    await page.getByText('KEV').first().waitFor()
    await expectAccessible(page)
    await picture('8-finding')
  })

  it('searches components and says what could not be decided', async () => {
    await page.goto(sbomAddress)
    await page.getByRole('tab', { name: /Components/ }).click()
    await page.getByLabel('Search components').fill('firmware')
    await rowWith(page, /motor-firmware/).waitFor()
    await picture('9-components')
    await page.getByRole('tab', { name: /Quality/ }).click()
    await page
      .getByRole('table', { name: 'Coverage' })
      .or(page.getByText('Coverage').first())
      .first()
      .waitFor()
    await expectAccessible(page)
    await picture('10-quality')
  })
})

describe('signing in', () => {
  const signIn = async (password: string) => {
    await page.getByRole('textbox', { name: 'E-mail' }).fill('olga@acme.example')
    await page.getByLabel(/^Password/).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }

  it('ends at sign-out, and a link followed afterwards leads back to its page', async () => {
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('textbox', { name: 'E-mail' }).waitFor()
    await page.goto(sbomAddress)
    await page.waitForURL(/sign-in/)
    await expectAccessible(page)
    await picture('11-sign-in-dark')
    await signIn('wrong password here')
    await page.getByText('The e-mail address or the password is wrong.').waitFor()
    await signIn('correct horse battery')
    await page.waitForURL(sbomAddress)
    await rowWith(page, /CVE-2021-44228/).waitFor()
    await expectAccessible(page)
    await picture('12-sbom-dark')
  })

  it('shows strangers what an unknown address shows', async () => {
    await page.goto(`${service.baseUrl}/app/another-company/families`)
    await heading('Page not found').waitFor()
    await expectAccessible(page)
  })

  it('works on a phone', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto(sbomAddress)
    await rowWith(page, /CVE-2021-44228/).waitFor()
    const overflow = await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    )
    expect(overflow).toBe(0)
    await expectAccessible(page)
    await picture('13-sbom-phone')
  })
})
